// What the page loads when somebody begins to use it: dialogs, suggestions, and the toast.

import {
  bdi, busy, change, client, counts, errorClose, explain, find, hasCounts, hide, info, isSearchable, kept, make, number,
  paint, picture, report, run, saved, say, search, sentence, typing, ui, useToken, versions,
} from './app.js'
import { newRequestId } from './client.js'

document.body.insertAdjacentHTML('beforeend', `
<aside id="toast" aria-label="Last change" hidden><p></p><button aria-keyshortcuts="Control+Z">Undo</button></aside>
<dialog id="details" aria-labelledby="name">
  <button class="icon" data-close aria-label="Close"><svg><use href="#close"/></svg></button>
  <div class="picture"></div>
  <div class="about">
    <h2 id="name" dir="auto"></h2><p id="description" dir="auto"></p>
    <dl id="counts"></dl><ul class="line" id="links"></ul>
    <p class="line" id="actions"><button class="button" id="keep"><svg class="star"><use href="#star"/></svg>Favorite</button><button class="button" id="edit" hidden>Edit</button></p>
    <p class="note"></p>
  </div>
</dialog>
<dialog id="access" aria-labelledby="asking">
  <form>
    <h2 id="asking">This server needs a token</h2>
    <p class="problem" role="alert"></p>
    <label>Token <input id="token" type="password" required autocomplete="off"></label>
    <p class="note">The browser forgets it when you close this tab.</p>
    <p class="line"><button class="button main">Continue</button><button class="button" type="button" data-close>Cancel</button></p>
  </form>
</dialog>
<dialog id="editor" aria-labelledby="editing">
  <form novalidate>
    <h2 id="editing"></h2>
    <p class="problem" role="alert"></p>
    <p class="line"><button class="button main">Save</button><button class="button" type="button" data-close>Cancel</button></p>
  </form>
</dialog>`)

for (const node of document.querySelectorAll('[id]')) ui[node.id] = node
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.onclick = ({ target }) => { if (target.matches('[data-close], [data-close] *, #details')) dialog.close() }
  dialog.onclose = () => document.body.append(ui.toast, ui.status)
}

// Details
const linkTypes = { detail: 'Detail page', wiki: 'Wiki', comiclink: 'Page of comics' }
let detail

export function showDetails(character) {
  const { id } = detail = character
  const [, box, about] = ui.details.children
  box.replaceChildren(picture(id, 'full'))
  ui.actions.dataset.id = id
  paint(id)
  ui.name.textContent = character.name
  ui.description.textContent = character.description || 'No description.'
  const missing = hasCounts(character) && info.kind !== 'KIND_BUILT_IN' ? '0' : 'unknown'
  ui.counts.replaceChildren(...Object.entries(counts).map(([key, textContent]) => make('div', {},
    make('dt', { textContent }), make('dd', { textContent: character[key] ? number(character[key]) : missing }))))
  const links = (character.urls ?? []).filter(({ url }) => /^https?:/i.test(url))
  ui.links.replaceChildren(...links.map(({ type, url }) => make('li', {},
    make('a', { href: url, target: '_blank', rel: 'noopener noreferrer', textContent: linkTypes[type] ?? type }))))
  ui.edit.hidden = !info.canEdit
  about.lastElementChild.textContent = ui.attribution.textContent
  ui.details.showModal()
}
ui.keep.onclick = () => change(detail, !saved.has(detail.id))
ui.edit.onclick = () => edit(detail)

// The token, which is kept for this tab only
export function askForToken({ reason, message }) {
  ui.access.querySelector('.problem').textContent = reason === 'TOKEN_MISSING' ? '' : sentence(message)
  if (!ui.access.open) ui.access.showModal()
}

ui.access.onsubmit = event => {
  event.preventDefault()
  ui.access.close()
  useToken(ui.token.value.trim())
  ui.token.value = ''
}

// The toast
const [toastText, toastUndo] = ui.toast.children
let toastTimer
export function offer(parts, undo) {
  // Only what is in an open dialog can be reached.
  const layer = document.querySelector('dialog[open]') ?? document.body
  layer.append(ui.toast, ui.status)
  toastText.replaceChildren(...parts)
  say(...toastText.cloneNode(true).childNodes)
  toastUndo.hidden = !undo
  toastUndo.onclick = () => {
    hide(ui.toast)
    undo()
  }
  ui.toast.hidden = false
  clearInterval(toastTimer)
  toastTimer = setInterval(() => ui.toast.matches(':hover, :focus-within') || hide(ui.toast), 8000)
}

addEventListener('keydown', ({ key, ctrlKey, metaKey, target }) => {
  const isUndo = key === 'z' && (ctrlKey || metaKey) && !target.matches('input, textarea')
  if (isUndo && !ui.toast.hidden && !toastUndo.hidden) toastUndo.click()
})

// Suggestions and recent searches: the list of a combobox, as in the W3C's APG
let stopSuggesting = new AbortController()
let suggesting
const recent = () => kept('recent') ?? []

export function remember(query) {
  if (isSearchable(query)) kept('recent', [...new Set([query, ...recent()])].slice(0, 8))
}

export async function suggest() {
  stopSuggesting.abort()
  const { signal } = stopSuggesting = new AbortController()
  const query = ui.query.value.trim()
  const old = recent().filter(text => text.toLowerCase().startsWith(query.toLowerCase())).slice(0, query ? 2 : 8)
  // The search reports what is wrong.
  const { names = [], matches = [] } = query ? await client.suggest(query, { limit: 6, signal }).catch(() => ({})) : {}
  if (signal.aborted || document.activeElement !== ui.query) return
  const likely = names.map((name, index) => makeOption(name, matches[index] === 'MATCH_FUZZY' ? 'similar' : ''))
  openOptions(old.map(text => makeOption(text, 'recent')).concat(likely))
}

function makeOption(text, textContent) {
  const note = make('span', { className: 'note', textContent })
  const option = make('li', { role: 'option', onclick: () => choose(text) }, bdi(text), note)
  if (textContent !== 'recent') return option
  option.ariaDescription = 'Delete forgets it'
  option.forget = event => {
    event.stopPropagation()
    kept('recent', recent().filter(other => other !== text))
    suggest()
  }
  const icon = errorClose.firstElementChild.cloneNode(true)
  option.append(make('span', { className: 'icon', title: `Forget ${text}`, onclick: option.forget }, icon))
  return option
}

function openOptions(options) {
  options.forEach((option, index) => option.id = `option${index}`)
  ui.options.replaceChildren(...options)
  ui.options.hidden = !options.length
  ui.query.ariaExpanded = options.length > 0
  mark()
}

function mark(option) {
  for (const other of ui.options.children) other.ariaSelected = other === option
  ui.query.setAttribute('aria-activedescendant', option?.id ?? '')
  option?.scrollIntoView({ block: 'nearest' })
}

export function closeOptions() {
  clearTimeout(suggesting)
  stopSuggesting.abort()
  openOptions([])
}

export function choose(query) {
  ui.query.value = query
  ui.query.focus()
  closeOptions()
  remember(query)
  run()
}

const suggestSoon = () => {
  clearTimeout(suggesting)
  suggesting = setTimeout(suggest, 150)
}
ui.query.addEventListener('input', suggestSoon)
ui.query.onclick = () => ui.query.value || suggest()
ui.query.onkeydown = event => {
  const options = [...ui.options.children]
  const at = options.findIndex(({ ariaSelected }) => ariaSelected === 'true')
  if (event.key === 'Enter') choose(options[at]?.firstChild.textContent ?? ui.query.value)
  else if (event.key === 'Escape' && options.length) closeOptions()
  else if (event.key === 'Delete' && options[at]?.forget) options[at].forget(event)
  else if (event.key === 'ArrowDown') options.length ? mark(options[at + 1] ?? options[0]) : suggest()
  else if (event.key === 'ArrowUp') mark(options.at(at < 0 ? -1 : at - 1))
  else return
  event.preventDefault()
}
ui.query.onblur = closeOptions
ui.query.onchange = () => remember(ui.query.value.trim())
ui.options.onpointerdown = event => event.preventDefault()
// What was typed or clicked meanwhile
if (typing || !ui.query.value && ui.query.matches(':focus:hover')) suggestSoon()

// Registering and editing
const form = ui.editor.firstElementChild
const labels = { name: 'Name', description: 'Description', picture: 'Picture (PNG, JPEG or GIF)', ...counts, ...linkTypes }
const inputs = {}
let edited, attempt, isSending

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
  if (isSending) return
  const mine = edited
  const { character: before, editRevision } = mine
  const urls = Object.keys(linkTypes).map(type => ({ type, url: inputs[type].value })).filter(({ url }) => url)
  urls.push(...(before.urls ?? []).filter(({ type }) => !(type in linkTypes)))
  const character = { id: before.id, urls, name: inputs.name.value, description: inputs.description.value }
  for (const key in counts) character[key] = inputs[key].value || undefined
  const changed = Object.keys(inputs).filter(key => inputs[key].value !== valueOf(before, key))
  const updateMask = changed.map(key => key in linkTypes ? 'urls' : key).join()
  const [file] = inputs.picture.files
  if (file?.size > 1 << 20) return complain([['picture', 'It has more than 1 MiB. Choose a smaller one']])
  // What is sent again unchanged is the same request: it may have been carried out.
  const contents = JSON.stringify([character, updateMask, editRevision, file?.name, file?.lastModified])
  if (attempt?.contents !== contents) attempt = { contents, id: newRequestId() }
  isSending = true
  busy(1)
  try {
    const picture = file && await pictureOf(file)
    const answer = !before.id ? await client.create({ character, picture }, attempt.id)
      : updateMask ? await client.update({ character, picture, updateMask, editRevision }, attempt.id) : edited
    const { id } = answer.character
    if (file) {
      versions[id] = `?${answer.editRevision}`
      // Others that the browser keeps are fetched again.
      for (const variant of ['full', 'detail', 'standard_fantastic']) fetch(client.pictureURL(id, variant), { cache: 'reload' })
    }
    attempt = null
    if (edited === mine) ui.editor.close()
    offer([bdi(character.name), before.id ? ' changed.' : ' registered.'])
    find(search.query, search.match)
  } catch (error) {
    if (!error.code) return complain([['picture', 'It cannot be read. Choose it again']])
    if (error.code === 'unauthenticated') askForToken(error)
    if (edited !== mine) return report([bdi(character.name), ' was not saved.'], error, () => edit(before))
    const fields = error.fields.map(({ field, description }) => {
      const [, index, key] = /^(?:character\.)?(?:urls\[(\d+)|(\w+))/.exec(field) ?? []
      return [urls[index]?.type ?? key?.replace('_c', 'C'), description.replace(/^(urls\S+|\w+_\w+)/, 'it')]
    })
    complain(fields.length ? fields : [['', explain(error)]])
    if (error.code !== 'aborted') return
    // Another edit came first: the next try overwrites it.
    mine.editRevision = (await client.character(before.id).catch(() => edited)).editRevision
    complain([['', 'Somebody changed this character meanwhile. Save again to overwrite that.']])
  } finally {
    isSending = false
    busy(-1)
  }
}
