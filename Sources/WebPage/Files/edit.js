// The form for characters. It is loaded when somebody who may edit asks for it.

import { ask, bdi, busy, client, counts, explain, find, linkTypes, make, offer, report, search, sentence, ui, versions } from './app.js'

const form = ui.editor.firstElementChild
const labels = { name: 'Name', description: 'Description', picture: 'Picture (PNG, JPEG or GIF)', ...counts, ...linkTypes }
const inputs = {}
let edited

for (const key in labels) {
  const input = inputs[key] = make(key === 'description' ? 'textarea' : 'input', { autocomplete: 'off' })
  if (key in counts) Object.assign(input, { type: 'number', min: 0 })
  if (key === 'picture') Object.assign(input, { type: 'file', accept: 'image/png, image/jpeg, image/gif' })
  const note = make('p', { className: 'problem', id: `${key}Problem` })
  input.setAttribute('aria-describedby', note.id)
  form.lastElementChild.before(make('div', {}, make('label', {}, labels[key], input), note))
}

const valueOf = ({ urls = [], ...character }, key) =>
  `${(key in linkTypes ? urls.find(({ type }) => type === key)?.url : character[key]) ?? ''}`

/** Opens the form for a character, or for a new one without an id. */
export async function edit({ id, name }) {
  try {
    edited = id ? await client.character(id) : { character: {} }
  } catch (error) {
    return report([bdi(name), ' cannot be edited.'], error, () => edit({ id, name }))
  }
  for (const key in inputs) inputs[key].value = valueOf(edited.character, key)
  ui.editing.textContent = id ? 'Edit a character' : 'Register a character'
  complain([])
  ui.details.close()
  ui.editor.showModal()
}

/** Shows problems beside their fields, and those of no field above all. */
function complain(problems) {
  for (const node of form.querySelectorAll('.problem')) node.textContent = ''
  for (const key in inputs) inputs[key].ariaInvalid = problems.some(([field]) => field === key)
  for (const [key, text] of problems) {
    (inputs[key]?.parentNode.nextElementSibling ?? form.querySelector('.problem')).append(sentence(text), ' ')
  }
  form.querySelector('[aria-invalid=true]')?.focus()
}

/** Returns a file as a message of the service. */
const pictureOf = file => new Promise((resolve, reject) => {
  const reader = new FileReader()
  reader.onload = () => resolve({ data: reader.result.split(',')[1] })
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(file)
})

form.onsubmit = async event => {
  event.preventDefault()
  const { character: before, editRevision } = edited
  const urls = Object.keys(linkTypes).map(type => ({ type, url: inputs[type].value })).filter(({ url }) => url)
  urls.push(...(before.urls ?? []).filter(({ type }) => !(type in linkTypes)))
  const character = { id: before.id, urls, name: inputs.name.value, description: inputs.description.value }
  for (const key in counts) character[key] = inputs[key].value || undefined
  const changed = Object.keys(inputs).filter(key => inputs[key].value !== valueOf(before, key))
  const updateMask = changed.map(key => key in linkTypes ? 'urls' : key).join()
  const [file] = inputs.picture.files
  if (file?.size > 1 << 20) return complain([['picture', 'It has more than 1 MiB. Choose a smaller one']])
  busy(1)
  try {
    const picture = file && await pictureOf(file)
    const answer = !before.id ? await client.create({ character, picture })
      : updateMask ? await client.update({ character, picture, updateMask, editRevision }) : edited
    const { id } = answer.character
    if (file) {
      versions[id] = `?${answer.editRevision}`
      // Others that the browser keeps are fetched again.
      for (const variant of ['full', 'detail', 'standard_fantastic']) fetch(client.pictureURL(id, variant), { cache: 'reload' })
    }
    ui.editor.close()
    offer([bdi(character.name), before.id ? ' changed.' : ' registered.'])
    find(search.query, search.match)
  } catch (error) {
    if (!error.code) return complain([['picture', 'It cannot be read. Choose it again']])
    if (error.code === 'unauthenticated') ask(error)
    const fields = error.fields.map(({ field, description }) => {
      const [, index, key] = /^(?:character\.)?(?:urls\[(\d+)|(\w+))/.exec(field) ?? []
      return [urls[index]?.type ?? key?.replace('_c', 'C'), description.replace(/^(urls\S+|\w+_\w+)/, 'it')]
    })
    complain(fields.length ? fields : [['', explain(error)]])
    if (error.code !== 'aborted') return
    // Another edit came first: the next try overwrites it.
    edited.editRevision = (await client.character(before.id).catch(() => edited)).editRevision
    complain([['', 'Somebody changed this character meanwhile. Save again to overwrite that.']])
  } finally {
    busy(-1)
  }
}
