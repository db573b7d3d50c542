// Loaded at the first use of the page: dialogs, suggestions, and the toast.

import {
  again, bdi, begin, busy, change, changes, client, counts, errorClose, explain, find, follow, hasCounts, hide, info,
  isSearchable, kept, make, number, picture, report, run, saved, say, search, sentence, settle, show, tabs, typing, ui,
} from './app.js'
import { newRequestId } from './client.js'

await new Promise((onload, onerror) => {
  const href = `later.css${new URL(import.meta.url).search}`
  document.head.append(make('link', { rel: 'stylesheet', href, onload, onerror }))
})
if (ui.toast) throw new Error('An earlier attempt to load this was late.')

const form = (id, title, action, fields) => `
<dialog id="${id}" aria-labelledby="${id}Title">
  <form method="dialog">
    <h2 id="${id}Title">${title}</h2>
    <p class="problem" role="alert"></p>
    ${fields}
    <p class="line"><button class="button main">${action}</button>
      <button class="button" type="button" data-close>Cancel</button></p>
  </form>
</dialog>`

const star = ui.card.content.querySelector('.star')
document.body.insertAdjacentHTML('beforeend', `
<aside id="toast" aria-label="Last change" hidden><p></p><button aria-keyshortcuts="Control+Z">Undo</button></aside>
<dialog id="details" aria-labelledby="name">
  <button class="icon" data-close aria-label="Close">${errorClose.innerHTML}</button>
  <div class="picture"></div>
  <div class="about">
    <h2 id="name" dir="auto"></h2><p id="description" dir="auto"></p>
    <dl id="counts"></dl><ul class="line" id="links"></ul>
    <p class="line" id="actions"><button class="button" id="keep">${star.outerHTML}Favorite</button>
      <button class="button" id="edit" hidden>Edit</button></p>
    <p class="note"></p>
  </div>
</dialog>
${form('access', 'This server needs a token', 'Continue', `
  <label>Token <input id="token" type="password" required autocomplete="off"></label>
  <p class="note">The browser forgets it when you close this tab.</p>`)}
${form('editor', '', 'Save', '')}`)

for (const node of document.querySelectorAll('[id]')) ui[node.id] = node
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.onclick = ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    const isOutside = clientX < left || clientX > right || clientY < top || clientY > bottom
    if (target.matches('[data-close], [data-close] *') || target === ui.details && isOutside) dialog.close()
  }
  dialog.onclose = () => document.body.append(ui.toast, ui.status)
}

export function transition(change) {
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion)').matches) return change()
  document.startViewTransition(change).ready.catch(() => {})
}
ui.tabs.onkeydown = ({ key }) => {
  const other = tabs.find(tab => tab.ariaSelected !== 'true')
  const target = { ArrowLeft: other, ArrowRight: other, Home: tabs[0], End: tabs[1] }[key]
  if (target) show(target)
  return !target
}
const linkTypes = { detail: 'Detail page', wiki: 'Wiki', comiclink: 'Page of comics' }
export function showDetails(character) {
  const { id, name, description, urls = [] } = character
  const [, box, about] = ui.details.children
  box.replaceChildren(picture(character, 'full'))
  ui.actions.dataset.id = id
  ui.keep.ariaPressed = saved.has(id)
  ui.keep.onclick = () => change(character)
  ui.edit.onclick = () => edit(character)
  ui.name.textContent = name
  ui.description.textContent = description || 'No description.'
  const missing = hasCounts(character) && info.kind !== 'KIND_BUILT_IN' ? '0' : 'unknown'
  ui.counts.replaceChildren(...Object.entries(counts).map(([key, textContent]) => make('div', {},
    make('dt', { className: 'note', textContent }), make('dd', {}, character[key] ? number(character[key]) : missing))))
  const links = urls.filter(({ url }) => /^https?:/i.test(url))
  ui.links.replaceChildren(...links.map(({ type, url: href }) => make('li', {},
    make('a', { href, target: '_blank', rel: 'noopener noreferrer', textContent: linkTypes[type] ?? type }))))
  ui.edit.hidden = !info.canEdit
  about.lastElementChild.textContent = ui.attribution.textContent
  ui.details.showModal()
}

export function askForToken({ reason, message }) {
  ui.access.querySelector('.problem').textContent = reason === 'TOKEN_MISSING' ? '' : sentence(message)
  if (!ui.access.open) ui.access.showModal()
}
ui.access.onsubmit = () => {
  const token = ui.token.value.trim()
  // No header could carry it.
  if (/[^!-~]/.test(token)) return askForToken({ message: 'the token is invalid' }) ?? false
  client.token = kept('token', token, 'sessionStorage')
  ui.token.value = ''
  settle(begin, follow)
  again()
  begin()
}

const [toastText, toastUndo] = ui.toast.children
let toastTimer

function offer(parts, undo) {
  // Only what is in an open dialog can be reached.
  (document.querySelector('dialog[open]') ?? document.body).append(ui.toast, ui.status)
  toastText.replaceChildren(...parts)
  say(...toastText.cloneNode(true).childNodes)
  toastUndo.hidden = !undo
  toastUndo.onclick = undo
  ui.toast.hidden = false
  clearInterval(toastTimer)
  toastTimer = setInterval(() => ui.toast.matches(':hover, :focus-within') || hide(ui.toast), 8000)
}

/** Undo saves one evicted favorite again: a list at its maximum has no room for more. */
export function offerUndo(character, isSaved, isUndo, evicted) {
  const left = evicted.flatMap(favorite => [' ', bdi(favorite.character.name), ' left the list.'])
  const last = evicted.at(-1)
  remember(search.query)
  offer([bdi(character.name), isSaved ? ' saved.' : ' removed.', ...left], !isUndo && (() => {
    hide(ui.toast)
    change(character, !isSaved, true).then(isDone => isDone && last && change(last.character, true, true))
  }))
}
addEventListener('beforeunload', event => {
  if ([...changes.values()].some(({ revision }) => revision === undefined)) event.preventDefault()
})
addEventListener('keydown', event => {
  const { key, ctrlKey, metaKey, target } = event
  const isUndo = key === 'z' && (ctrlKey || metaKey) && !target.matches('input, textarea')
  if (!isUndo || ui.toast.hidden || toastUndo.hidden) return
  // The browser would undo what was typed last.
  event.preventDefault()
  toastUndo.click()
})

// Suggestions and recent searches: the list of a combobox, as in the W3C's APG
let stopSuggesting = new AbortController()
const recent = () => kept('recent') ?? []
export const remember = text =>
  isSearchable(text) && kept('recent', [...new Set([text, ...recent()])].slice(0, 8))

async function suggest(delay = 0) {
  stopSuggesting.abort()
  const { signal } = stopSuggesting = new AbortController()
  await new Promise(resolve => setTimeout(resolve, delay))
  const query = ui.query.value.trim()
  const old = recent().filter(text => text.toLowerCase().startsWith(query.toLowerCase())).slice(0, query ? 2 : 8)
  // The search reports what is wrong.
  const { names = [], matches = [] } = query ? await client.suggest(query, { limit: 6, signal }).catch(() => ({})) : {}
  if (signal.aborted || document.activeElement !== ui.query) return
  const likely = names.map((name, index) => makeOption(name, matches[index] === 'MATCH_FUZZY' ? 'similar' : ''))
  openOptions([...old.map(text => makeOption(text, 'recent')), ...likely])
}

function makeOption(text, textContent) {
  const option = make('li', { role: 'option' }, bdi(text), make('span', { className: 'note', textContent }))
  if (textContent === 'recent') {
    const { innerHTML } = errorClose
    option.ariaDescription = 'Delete forgets it'
    option.append(make('span', { className: 'icon', title: `Forget ${text}`, innerHTML }))
  }
  return option
}
const textOf = option => option.firstChild.textContent
ui.options.onclick = ({ target }) => {
  const option = target.closest('li')
  if (target.closest('.icon')) forget(option)
  else if (option) choose(textOf(option))
}

function forget(option) {
  kept('recent', recent().filter(text => text !== textOf(option)))
  suggest()
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
ui.query.addEventListener('input', () => suggest(150))
ui.query.onclick = () => ui.query.value || suggest()
ui.query.onkeydown = ({ key, isComposing }) => {
  if (isComposing) return true // The keys of an input method
  const options = [...ui.options.children]
  const at = options.findIndex(({ ariaSelected }) => ariaSelected === 'true')
  if (key === 'Enter') choose(at < 0 ? ui.query.value : textOf(options[at]))
  else if (key === 'Escape' && options.length) closeOptions()
  else if (key === 'Delete' && options[at]?.ariaDescription) forget(options[at])
  else if (key === 'ArrowDown') options.length ? mark(options[at + 1] ?? options[0]) : suggest()
  else if (key === 'ArrowUp') mark(options.at(at < 0 ? -1 : at - 1))
  else return true
  return false
}
ui.query.onblur = closeOptions
ui.query.onchange = () => remember(ui.query.value.trim())
ui.options.onpointerdown = () => false
// Input while the file was loading
if (typing || !ui.query.value && ui.query.matches(':focus:hover')) suggest(150)

// Registering and editing
const editor = ui.editor.firstElementChild
const picked = 'Picture (PNG, JPEG or GIF)'
const labels = { name: 'Name', description: 'Description', picture: picked, ...counts, ...linkTypes }
const inputs = {}
let edited, isSending, requestId
for (const key in labels) {
  const input = inputs[key] = make(key === 'description' ? 'textarea' : 'input', { autocomplete: 'off' })
  if (key in counts) input.type = 'number'
  if (key === 'picture') Object.assign(input, { type: 'file', accept: 'image/png, image/jpeg, image/gif' })
  const note = make('p', { className: 'problem', id: `${key}Problem` })
  input.setAttribute('aria-describedby', note.id)
  editor.lastElementChild.before(make('div', {}, make('label', {}, labels[key], input), note))
}

/** Opens the form for a character, or for a new one without an id. */
export async function edit({ id, name }) {
  settle(edit)
  try {
    edited = id ? await client.character(id) : { character: {} }
  } catch (error) {
    return report(edit, [bdi(name), ' cannot be edited.'], error, () => edit({ id, name }))
  }
  const { urls = [], ...others } = edited.character
  const valueOf = key => key in linkTypes ? urls.find(({ type }) => type === key)?.url : others[key]
  for (const key in inputs) inputs[key].defaultValue = valueOf(key) ?? ''
  editor.reset()
  renew()
  ui.editorTitle.textContent = id ? 'Edit a character' : 'Register a character'
  complain([])
  ui.details.close()
  ui.editor.showModal()
}
// An unchanged edit is sent again as the same request: the first may have been executed.
const renew = () => requestId = newRequestId()
editor.oninput = renew

/** Shows problems beside their fields, and those of no field above all. */
function complain(problems) {
  for (const node of editor.querySelectorAll('.problem')) node.textContent = ''
  for (const key in inputs) inputs[key].ariaInvalid = problems.some(([field]) => field === key)
  for (const [key, text] of problems) {
    (inputs[key]?.parentNode.nextElementSibling ?? editor.querySelector('.problem')).append(sentence(text), ' ')
  }
  editor.querySelector('[aria-invalid=true]')?.focus()
}
const base64 = file => new Promise((resolve, reject) => {
  const reader = new FileReader()
  reader.onload = () => resolve(reader.result.split(',')[1])
  reader.onerror = reject
  reader.readAsDataURL(file)
})
editor.onsubmit = async event => {
  event.preventDefault()
  if (isSending) return complain([['', 'The form before this one is not saved yet. Wait a moment']])
  const mine = edited
  const { character: before, editRevision } = mine
  const urls = [...before.urls ?? []]
  const { picture: { files: [file] }, ...others } = inputs
  const character = { id: before.id, urls }
  const changed = Object.keys(inputs).filter(key => inputs[key].value !== inputs[key].defaultValue)
  for (const [key, { value }] of Object.entries(others)) {
    if (!(key in linkTypes)) character[key] = value || undefined
    else if (changed.includes(key)) {
      // The form has the first link of a type; others stay.
      const at = urls.findIndex(({ type }) => type === key)
      urls.splice(at < 0 ? urls.length : at, at < 0 ? 0 : 1, ...value ? [{ type: key, url: value }] : [])
    }
  }
  const updateMask = changed.map(key => key in linkTypes ? 'urls' : key).join()
  if (file?.size > 1 << 20) return complain([['picture', 'It has more than 1 MiB. Choose a smaller one']])
  isSending = true
  busy(1)
  try {
    const picture = file && { data: await base64(file) }
    if (!before.id) await client.create({ character, picture }, requestId)
    else if (updateMask) await client.update({ character, picture, updateMask, editRevision: editRevision ?? -1 }, requestId)
    if (edited === mine) ui.editor.close()
    offer([bdi(character.name), before.id ? ' changed.' : ' registered.'])
    find()
  } catch (error) {
    if (!error.code) return complain([['picture', 'It cannot be read. Choose it again']])
    if (error.code === 'unauthenticated') askForToken(error)
    if (edited !== mine || !ui.editor.open) return report(edit, [bdi(character.name), ' was not saved.'], error, () => ui.editor.open || edit(before))
    const fields = error.fields.map(({ field, description }) => {
      const [, index, key] = /^(?:character\.)?(?:urls\[(\d+)|(\w+))/.exec(field) ?? []
      return [urls[index]?.type ?? key?.replace('_c', 'C'), description.replace(/^(urls\S+|\w+_\w+)/, 'it')]
    })
    // Without `isLoss`: nothing sends the form again.
    complain(fields.length ? fields : [['', explain({ ...error, message: error.message })]])
    if (error.code !== 'aborted') return
    complain([['', 'Somebody changed this character meanwhile. Save again to overwrite that']])
    mine.editRevision = (await client.character(before.id).catch(() => mine)).editRevision
    renew()
  } finally {
    isSending = false
    busy(-1)
  }
}
