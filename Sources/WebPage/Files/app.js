// The page: two tabs over the calls of client.js. Text from the server becomes text nodes only.

import { MarvelClient, MarvelError, SharedList } from './client.js'

/** The elements by their ids. */
export const ui = Object.fromEntries(Array.from(document.querySelectorAll('[id]'), node => [node.id, node]))

export function make(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}

/** A name within a sentence: its marks of direction end with it. */
export const bdi = textContent => make('bdi', { textContent })
const number = value => value.toLocaleString('en')
const some = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`
export const sentence = text => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')

/** Reads or writes what the browser keeps, if it keeps anything. */
function kept(key, value, storage = 'localStorage') {
  try {
    if (value !== undefined) window[storage].setItem(key, JSON.stringify(value))
    return JSON.parse(window[storage].getItem(key))
  } catch { return value }
}

function transition(change) {
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion)').matches) return change()
  document.startViewTransition(change).ready.catch(() => {})
}

// The address: ?q=, ?match=, ?list=, #favorites
const defaults = { q: '', match: 'prefix', list: 'default' }
const readAddress = () => ({ ...defaults, ...Object.fromEntries(new URLSearchParams(location.search)) })
const listName = readAddress().list || defaults.list

function writeAddress(isNew) {
  const state = Object.entries({ q: search.query, match: search.match, list: listName })
  const values = `${new URLSearchParams(state.filter(([key, value]) => value !== defaults[key]))}`
  const address = location.pathname + (values && `?${values}`) + (ui.search.hidden ? '#favorites' : '')
  history[isNew ? 'pushState' : 'replaceState'](null, '', address)
  nameWindow()
}

function nameWindow() {
  const view = ui.search.hidden ? ui.favoritesTab.textContent : search.query
  document.title = (view && `${view} – `) + 'Marvel characters'
}

onpopstate = () => {
  const { q, match } = readAddress()
  ui.query.value = q
  ui.match.value = match
  if (!ui.match.value) ui.match.value = defaults.match
  select(location.hash === '#favorites' ? ui.favoritesTab : ui.searchTab)
  find(q.trim(), ui.match.value)
}

// Tabs
const tabs = [ui.searchTab, ui.favoritesTab]

function select(chosen) {
  for (const tab of tabs) {
    tab.ariaSelected = tab === chosen
    tab.tabIndex = tab === chosen ? 0 : -1
    ui[tab.getAttribute('aria-controls')].hidden = tab !== chosen
  }
}

const show = (tab, focused = tab) => transition(() => {
  if (tab.ariaSelected === 'true') return
  select(tab)
  writeAddress(true)
  scrollTo(0, 0)
  focused.focus()
})

for (const tab of tabs) {
  tab.onclick = () => show(tab)
  tab.onkeydown = event => {
    const other = tabs.find(other => other !== tab)
    const target = { ArrowLeft: other, ArrowRight: other, Home: tabs[0], End: tabs[1] }[event.key]
    if (!target) return
    event.preventDefault()
    show(target)
  }
}

// Errors: one place for all
const [errorText, errorAction, errorClose] = ui.error.children
const advice = {
  failed_precondition: 'Only the operator of the server can change that.',
  invalid_argument: 'Change it and try again.',
  not_found: 'Search for it again.',
  permission_denied: 'Ask the operator of the server, or use another token.',
  unauthenticated: 'Enter a token.',
  unimplemented: 'Load the page again.',
}
let problem

/** Returns what happened, and what to do. */
export function explain({ code, message, retryAfter, isLoss }) {
  const seconds = Math.ceil(retryAfter / 1000)
  let next = advice[code] ?? 'Try again in a moment.'
  if (seconds) next = `Try again in ${seconds < 120 ? some(seconds, 'second') : some(Math.ceil(seconds / 60), 'minute')}.`
  if (isLoss) next = `${navigator.onLine ? '' : 'You are offline. '}The page continues by itself.`
  return `${sentence(message)} ${next}`
}

export function report(title, error, retry) {
  if (!error.code) throw error
  problem = { error, retry }
  const wantsToken = /unauth|denied/.test(error.code)
  errorText.firstChild.replaceChildren(...title)
  errorText.lastChild.textContent = explain(error)
  errorAction.textContent = wantsToken ? 'Enter a token' : 'Try again'
  errorAction.onclick = () => wantsToken ? ask(error) : again()
  ui.error.dataset.reason = error.reason
  ui.error.hidden = false
  // Behind a dialog nobody could read why a change failed.
  if (error !== favorites.error) ui.details.close()
  if (error.code === 'unauthenticated') ask(error)
}

function hide(node) {
  if (node.contains(document.activeElement)) ui.main.focus()
  node.hidden = true
}

function dismiss() {
  hide(ui.error)
  problem = null
}

function again() {
  const { retry } = problem
  dismiss()
  retry()
}
errorClose.onclick = dismiss

// Tokens: kept for this tab only
export const client = new MarvelClient({ list: listName, token: kept('token', undefined, 'sessionStorage') })

export function ask({ reason, message }) {
  ui.access.querySelector('.problem').textContent = reason === 'TOKEN_MISSING' ? '' : sentence(message)
  if (!ui.access.open) ui.access.showModal()
}

ui.access.onsubmit = event => {
  event.preventDefault()
  client.token = kept('token', ui.token.value.trim(), 'sessionStorage')
  ui.token.value = ''
  ui.access.close()
  const waiting = new Set([problem?.retry, begin, loadPage])
  dismiss()
  for (const retry of waiting) retry?.()
}

// Favorites, and the changes that have no answer yet
const changes = new Map()
const favorites = new SharedList(client, update)
let saved = new Set()
let queue = Promise.resolve()

function update() {
  const { status, error, attempt } = favorites
  const lost = navigator.onLine ? 'Reconnecting' : 'Offline'
  const text = { connecting: 'Connecting', live: 'Live', lost, failed: 'Stopped' }[status]
  ui.live.textContent = text + (listName === defaults.list ? '' : ` · ${listName}`)
  ui.live.dataset.status = status
  if (status === 'live' && problem?.error.isLoss) again()
  const isGone = error && (status === 'failed' || attempt > 2 && !problem)
  if (isGone) report(['The favorites are not up to date.'], error, begin)
  redraw()
}

function redraw() {
  const { favorites: listed, capacity, revision } = favorites.list ?? { favorites: [], capacity: 5, revision: 0 }
  for (const [id, change] of changes) if (change.revision <= BigInt(revision)) changes.delete(id)
  const known = new Map(listed.map(({ character }) => [character.id, character]))
  for (const [id, { isSaved, character }] of changes) {
    if (!isSaved) known.delete(id)
    else if (!known.has(id)) known.set(id, character)
  }
  const before = saved
  const shown = [...known.values()].slice(-capacity)
  saved = new Set(shown.map(({ id }) => id))
  const changed = [...before, ...saved].filter(id => before.has(id) !== saved.has(id))
  for (const id of changed) paint(id)
  ui.count.textContent = favorites.list ? `${saved.size} of ${capacity}` : ''
  ui.count.dataset.full = saved.size === capacity
  if (changed.length && !changes.size) say(`Favorites: ${ui.count.textContent}.`)
  const next = saved.size < capacity ? [] : [' The next one replaces ', bdi(shown[0].name), '.']
  ui.order.replaceChildren(...saved.size ? ['In the order of saving.', ...next] : [])
  drawFavorites(shown)
  nameWindow()
}

function drawFavorites(shown) {
  const [grid, cards] = [ui.saved, [...ui.saved.children]]
  const focused = cards.findIndex(card => card.contains(document.activeElement))
  for (const card of cards) if (!saved.has(card.dataset.id)) card.remove()
  shown.forEach((character, place) => {
    const card = cards.find(({ dataset }) => dataset.id === character.id) ?? makeCard(character)
    if (grid.children[place] !== card) grid.insertBefore(card, grid.children[place])
  })
  ui.none.hidden = saved.size > 0 || !favorites.list
  const isLost = focused >= 0 && !grid.contains(document.activeElement)
  if (isLost) (grid.children[Math.min(focused, saved.size - 1)] ?? ui.none).querySelector('button').focus()
}

function paint(id) {
  for (const node of document.querySelectorAll(`[data-id="${id}"]`)) node.firstElementChild.ariaPressed = saved.has(id)
}

/** Shows a change at once, sends it after those before it, and takes it back if it fails. */
function change(character, isSaved, isUndo) {
  const { id, name } = character
  const entry = { isSaved, character }
  const until = Date.now() + 30_000
  changes.set(id, entry)
  redraw()
  queue = queue.then(async () => {
    if (changes.get(id) !== entry) return
    try {
      const { revision = 0, evicted = [] } = await client.toggle(id, isSaved, until)
      entry.revision = BigInt(revision)
      const left = evicted.flatMap(favorite => [' ', bdi(favorite.character.name), ' left the list.'])
      offer([bdi(name), isSaved ? ' saved.' : ' removed.', ...left], !isUndo && (() => {
        change(character, !isSaved, true)
        for (const favorite of evicted) change(favorite.character, true, true)
      }))
    } catch (error) {
      if (changes.get(id) === entry) changes.delete(id)
      report([bdi(name), isSaved ? ' was not saved.' : ' was not removed.'], error, () => change(character, isSaved))
    }
    redraw()
  })
}

// The toast, and the line for screen readers
const [toastText, toastUndo] = ui.toast.children
let toastTimer
const say = (...parts) => ui.status.replaceChildren(...parts)
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

onkeydown = ({ key, ctrlKey, metaKey, target }) => {
  const isUndo = key === 'z' && (ctrlKey || metaKey) && !target.matches('input, textarea')
  if (isUndo && !ui.toast.hidden) toastUndo.click()
}

// Cards and pictures
export const counts = { comicCount: 'Comics', seriesCount: 'Series', storyCount: 'Stories', eventCount: 'Events' }
const hasCounts = character => Object.keys(counts).some(key => character[key])

function makeCard(character, [start, end] = [0, 0]) {
  const { id, name, comicCount = 0 } = character
  const card = ui.card.content.firstElementChild.cloneNode(true)
  const [main, more] = card.children
  const [box, , title, note] = main.children
  card.dataset.id = id
  main.ariaPressed = saved.has(id)
  main.onclick = () => {
    remember(search.query)
    change(character, !saved.has(id))
  }
  box.append(picture(id, devicePixelRatio > 1 ? 'detail' : 'standard_fantastic'))
  title.append(name.slice(0, start), make('mark', { textContent: name.slice(start, end) }), name.slice(end))
  note.textContent = hasCounts(character) ? some(comicCount, 'comic') : '? comics'
  more.ariaLabel = `Details of ${name}`
  more.onclick = () => showDetails(character)
  return card
}

/** Pictures that were changed here have a new address, because the old one may be cached. */
export const versions = {}

function picture(id, variant) {
  const image = make('img', { alt: '', loading: 'lazy', onerror: () => image.remove() })
  const address = client.pictureURL(id, variant) + (versions[id] ?? '')
  if (!client.token) return Object.assign(image, { src: address })
  image.onload = () => URL.revokeObjectURL(image.src)
  client.picture(id, variant).then(blob => image.src = URL.createObjectURL(blob), image.onerror)
  return image
}

/** The start and end of what a query matches in a name: its letters, with any punctuation between them. */
function matchedRange(name, query) {
  const letters = query.match(/[\p{L}\p{N}]/gu) ?? []
  const found = letters.length && new RegExp(letters.join('[^\\p{L}\\p{N}]*'), 'iu').exec(name)
  if (found) return [found.index, found.index + found[0].length]
}

// Search
export const search = { query: '', match: 'prefix', token: '', isFirst: true, stop: new AbortController() }
const isSearchable = query => [...query].length > 1
const matchName = match => `MATCH_${match.toUpperCase()}`
let typing, suggesting
let work = 0
export const busy = step => ui.bar.hidden = (work += step) === 0

/** Searches for what is typed. Typing on changes the address; another query gets an entry in the history. */
function run() {
  clearTimeout(typing)
  const [query, match, before] = [ui.query.value.trim(), ui.match.value, search.query]
  if (query === before && match === search.match) return
  const isRefined = query && (query.startsWith(before) || before.startsWith(query)) && match === search.match
  find(query, match)
  writeAddress(!isRefined)
}

export function find(query, match) {
  search.stop.abort()
  Object.assign(search, { query, match, token: '', isFirst: true, stop: new AbortController() })
  nameWindow()
  ui.more.hidden = ui.end.hidden = true
  if (isSearchable(query)) return loadPage()
  clear()
  drawStart()
}

function clear() {
  ui.results.replaceChildren()
  ui.found.textContent = ''
}

async function loadPage() {
  const { query, match, isFirst, token: pageToken, stop: { signal } } = search
  if (!isSearchable(query) || !isFirst && !pageToken) return
  ui.start.hidden = true
  if (isFirst && !ui.results.querySelector('.toggle')) {
    ui.results.replaceChildren()
    ui.found.textContent = 'Searching'
    addCards(Array.from(Array(10), () => make('div', { className: 'card skeleton' })))
  }
  busy(1)
  try {
    const { value: page } = await client.search(query, { match: matchName(match), pageToken, signal }).next()
    drawPage(page)
  } catch (error) {
    if (signal.aborted) return
    if (ui.results.querySelector('.skeleton')) clear()
    else if (isFirst) ui.found.textContent = 'Results of the last search'
    report(['The search failed.'], error, loadPage)
  } finally {
    busy(-1)
  }
}

/** Adds cards in groups of 60, which 1 to 6, 10 and 12 columns divide. */
function addCards(cards) {
  for (const card of cards) {
    const last = ui.results.lastElementChild
    const group = last?.childElementCount < 60 ? last : make('div', { className: 'cards' })
    group.append(card)
    if (group !== last) ui.results.append(group)
  }
}

function drawPage({ characters = [], total = 0, nextPageToken = '', attribution, freshness }) {
  const { query, isFirst } = search
  const cards = characters.map(character => makeCard(character, matchedRange(character.name, query)))
  const hadFocus = document.activeElement === ui.more
  if (isFirst) ui.results.replaceChildren()
  addCards(cards)
  if (hadFocus) cards[0]?.firstElementChild.focus()
  Object.assign(search, { token: nextPageToken, isFirst: false })
  const count = ui.results.querySelectorAll('.toggle').length
  const found = count < total ? `${number(count)} of ${some(total, 'character')}` : some(count, 'character')
  ui.found.textContent = count ? found + (freshness?.isStale ? ' · stale: the source cannot be reached' : '') : ''
  ui.attribution.textContent = attribution
  ui.more.hidden = !nextPageToken
  ui.end.hidden = !!nextPageToken || !count
  if (isFirst) say(found)
  if (!count && !nextPageToken) drawNothing()
  if (problem?.retry === loadPage) dismiss()
  ending.unobserve(ui.more)
  ending.observe(ui.more)
}

ui.more.onclick = () => work || loadPage()
const ending = new IntersectionObserver(([{ isIntersecting }]) => {
  if (isIntersecting && problem?.retry !== loadPage) ui.more.click()
}, { rootMargin: '600px' })

function drawEmpty(text, label = '', onclick = null) {
  const [, sentence, action] = ui.start.children
  sentence.replaceChildren(...text)
  Object.assign(action, { textContent: label, onclick, hidden: !onclick })
  ui.start.hidden = false
}

function drawNothing() {
  closeOptions()
  const wider = [...ui.match.options].slice(ui.match.selectedIndex + 1).find(({ hidden }) => !hidden)
  drawEmpty(['No character found for ', bdi(`“${search.query}”`), '.'], wider ? `Try “${wider.text}”` : 'Clear the search', () => {
    if (wider) wider.selected = true
    choose(wider ? search.query : '')
  })
}

const drawStart = () =>
  drawEmpty([`${info.characterCount ? `Search ${number(info.characterCount)} characters: type` : 'Type'} two letters of a name.`])

// Recent searches and suggestions: a combobox with a list, as in the W3C's APG
let stopSuggesting = new AbortController()
const recent = () => kept('recent') ?? []

function remember(query) {
  if (isSearchable(query)) kept('recent', [...new Set([query, ...recent()])].slice(0, 8))
}

async function suggest() {
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

function closeOptions() {
  clearTimeout(suggesting)
  stopSuggesting.abort()
  openOptions([])
}

function choose(query) {
  ui.query.value = query
  ui.query.focus()
  closeOptions()
  remember(query)
  run()
}

ui.query.oninput = () => {
  clearTimeout(typing)
  clearTimeout(suggesting)
  typing = setTimeout(run, 300)
  suggesting = setTimeout(suggest, 150)
}
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
ui.options.onpointerdown = ui.search.firstElementChild.onsubmit = event => event.preventDefault()
ui.match.onchange = run

// Grid or list
const layOut = layout => ui.layout.ariaPressed = (document.body.dataset.layout = layout) === 'list'
ui.layout.onclick = () => transition(() => layOut(kept('layout', ui.layout.ariaPressed === 'true' ? 'grid' : 'list')))

// Details
export const linkTypes = { detail: 'Detail page', wiki: 'Wiki', comiclink: 'Page of comics' }
let detail

function showDetails(character) {
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
  about.lastElementChild.textContent = ui.attribution.textContent
  ui.details.showModal()
}
ui.keep.onclick = () => change(detail, !saved.has(detail.id))
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.onclick = ({ target }) => { if (target.matches('[data-close], [data-close] *, #details')) dialog.close() }
  dialog.onclose = () => document.body.append(ui.toast, ui.status)
}

// Registering and editing
const edit = character => import('./edit.js').then(form => form.edit(character), error =>
  report(['The form was not loaded.'], MarvelError.loss(error), () => edit(character)))
ui.register.onclick = () => edit({})
ui.edit.onclick = () => edit(detail)

// Start
let info = {}

async function begin() {
  favorites.start()
  try {
    info = await client.info()
    ui.attribution.textContent ||= info.attribution ?? ''
    ui.register.hidden = ui.edit.hidden = !info.canEdit
    for (const option of ui.match.options) option.hidden = option.disabled = !info.matches.includes(matchName(option.value))
    if (!isSearchable(search.query)) drawStart()
  } catch (error) {
    report(['The catalog does not answer.'], error, begin)
  }
}

ui.skip.onclick = event => {
  event.preventDefault()
  ui.main.focus()
}
ui.none.lastElementChild.onclick = () => show(ui.searchTab, ui.query)
ononline = update
onoffline = () => favorites.start()
document.onvisibilitychange = () => favorites.isShared || (document.hidden ? favorites.stop() : favorites.start())
layOut(kept('layout') ?? 'grid')
onpopstate()
update()
begin()
