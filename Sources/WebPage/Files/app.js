// The page: two tabs over the calls of client.js. Text from the server becomes text nodes only.

import { MarvelClient, MarvelError, SharedList, newRequestId } from './client.js'

export const ui = Object.fromEntries(Array.from(document.querySelectorAll('[id]'), node => [node.id, node]))

export function make(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}

/** A name within a sentence: its marks of direction end with it. */
export const bdi = textContent => make('bdi', { textContent })
export const number = value => value.toLocaleString('en')
const some = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`
export const sentence = text => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')

/** Reads or writes what the browser keeps, if anything. */
export function kept(key, value, storage = 'localStorage') {
  try {
    if (value !== undefined) window[storage].setItem(key, JSON.stringify(value))
    return JSON.parse(window[storage].getItem(key))
  } catch { return value }
}

// The address: ?q=, ?match=, ?list=, #favorites
const defaults = { q: '', match: 'prefix', list: 'default' }
const readAddress = () => ({ ...defaults, ...Object.fromEntries(new URLSearchParams(location.search)) })
const listName = readAddress().list || defaults.list

function writeAddress(isNew) {
  const state = Object.entries({ q: search.query, match: search.match, list: listName })
  const values = `${new URLSearchParams(state.filter(([key, value]) => value !== defaults[key]))}`
  const [view, hash] = ui.search.hidden ? ['Favorites', '#favorites'] : [search.query, '']
  history[isNew ? 'pushState' : 'replaceState'](null, '', location.pathname + (values && `?${values}`) + hash)
  document.title = (view && `${view} – `) + 'Marvel characters'
}
onpopstate = () => {
  ({ q: ui.query.value, match: ui.match.value } = readAddress())
  select(location.hash === '#favorites' ? ui.favoritesTab : ui.searchTab)
  run(true)
}

export const tabs = [ui.searchTab, ui.favoritesTab]
function select(chosen) {
  for (const tab of tabs) {
    const panel = ui[tab.getAttribute('aria-controls')]
    tab.ariaSelected = tab === chosen
    tab.tabIndex = tab === chosen ? 0 : -1
    if (tab !== chosen && panel.contains(document.activeElement)) chosen.focus()
    panel.hidden = tab !== chosen
  }
}

export const show = (tab, focused = tab) => move(() => {
  if (tab.ariaSelected === 'true') return
  select(tab)
  writeAddress(true)
  scrollTo(0, 0)
  focused.focus()
})
for (const tab of tabs) tab.onclick = () => show(tab)

// Loaded at the first use: dialogs, suggestions, the toast
let later, loading
const attempts = []
const load = () => loading ??= loadOnce().catch(error => {
  loading = null
  loadSoon()
  throw MarvelError.loss(error)
})
const move = change => later ? later.transition(change) : change()

async function loadOnce() {
  // Some browsers keep a module that failed to load.
  attempts.push(import(`./later.js?${attempts.length}`))
  const end = new Promise((_, reject) => setTimeout(reject, 10_000, { name: 'TimeoutError' }))
  return later = await Promise.race([Promise.any(attempts), end])
}

function loadSoon() {
  for (const sign of ['pointerover', 'focusin']) addEventListener(sign, () => load().catch(() => {}), { once: true })
}
loadSoon()

function open(dialog, value) {
  busy(1)
  load().then(() => later[dialog](value), error =>
    report(open, ['The dialog was not loaded.'], error, () => open(dialog, value))).finally(() => busy(-1))
}

export const [errorText, errorAction, errorClose] = ui.error.children
const advice = {
  failed_precondition: 'Only the operator of the server can change that.',
  invalid_argument: 'Change it and try again.',
  not_found: 'Search for it again.',
  permission_denied: 'Ask the operator of the server, or use another token.',
  resource_exhausted: '',
  unauthenticated: 'Enter a token.',
}
const failed = new Map() // Characters' ids, and functions

export function explain({ code, message, retryAfter, isLoss }) {
  const seconds = Math.ceil(retryAfter / 1000)
  const time = seconds < 120 ? some(seconds, 'second') : some(Math.ceil(seconds / 60), 'minute')
  const next = seconds ? `Try again in ${time}.` : advice[code] ?? 'Try again in a moment.'
  const lost = `${navigator.onLine ? '' : 'You are offline. '}The page continues by itself.`
  return `${sentence(message)} ${isLoss ? lost : next}`.trim()
}

export function report(key, title, error, retry = key) {
  if (!error.code) throw error
  failed.delete(key)
  failed.set(key, { title, error, retry })
  drawError()
  // Behind a dialog nobody could read why a change failed.
  if (key !== follow) ui.details?.close()
  if (error.code === 'unauthenticated') open('askForToken', error)
}

function drawError() {
  const { title, error } = [...failed.values()].at(-1) ?? {}
  if (!error) return hide(ui.error)
  const wantsToken = /unauth|denied/.test(error.code)
  const words = error.isUncertain ? title.map(word => word.replace?.(/was not(?= [sr])/, 'may not be') ?? word) : title
  errorText.firstChild.replaceChildren(...words)
  errorText.lastChild.textContent = explain(error)
  errorAction.textContent = wantsToken ? 'Enter a token' : 'Try again'
  errorAction.onclick = () => wantsToken ? open('askForToken', error) : again()
  ui.error.dataset.reason = error.reason
  ui.error.hidden = false
}

export function hide(node) {
  const dialog = document.querySelector('dialog[open]')
  if (node.contains(document.activeElement)) (dialog?.querySelector('button') ?? ui.main).focus()
  node.hidden = true
}
export const settle = (...keys) => { if (keys.filter(key => failed.delete(key)).length) drawError() }

export function again(isWanted = Boolean) {
  const wanted = [...failed].filter(([, { error }]) => isWanted(error))
  settle(...wanted.map(([key]) => key))
  for (const [, { retry }] of wanted) retry()
}
errorClose.onclick = () => settle(...failed.keys())
export const client = new MarvelClient({ list: listName, token: kept('token', undefined, 'sessionStorage') })

// Favorites, and changes without an answer yet
const favorites = new SharedList(client, update)
export const changes = new Map()
export let saved = new Set()
let queue = Promise.resolve()
export const say = (...parts) => ui.status.replaceChildren(...parts)

function update() {
  const { status, error, attempt } = favorites
  const lost = navigator.onLine ? 'Reconnecting' : 'Offline'
  const text = { connecting: 'Connecting', live: 'Live', failed: 'Stopped' }[status] ?? lost
  ui.live.textContent = text + (listName === defaults.list ? '' : ` · ${listName}`)
  ui.live.dataset.status = status
  if (status === 'live') {
    settle(follow)
    again(({ isLoss }) => isLoss)
  } else if (error && (status === 'failed' || attempt > 2 && !failed.size)) {
    report(follow, ['The favorites are not up to date.'], error)
  }
  redraw()
}

function redraw() {
  const { favorites: listed, capacity, revision } = favorites.list ?? { favorites: [], capacity: 5, revision: 0 }
  const known = new Map(listed.map(({ character }) => [character.id, character]))
  for (const [id, change] of changes) {
    if (change.revision <= BigInt(revision)) changes.delete(id)
    else if (!change.isSaved) known.delete(id)
    else if (!known.has(id)) known.set(id, change.character)
  }
  const before = saved
  const shown = [...known.values()].slice(-Math.max(capacity, listed.length))
  saved = new Set(shown.map(({ id }) => id))
  const changed = [...before, ...saved].filter(id => before.has(id) !== saved.has(id))
  for (const id of changed) {
    for (const { firstChild } of document.querySelectorAll(`[data-id="${id}"]`)) firstChild.ariaPressed = saved.has(id)
  }
  ui.count.textContent = favorites.list ? `${saved.size} of ${capacity}` : ''
  ui.count.dataset.full = saved.size >= capacity
  if (changed.length && !changes.size) say(`Favorites: ${ui.count.textContent}.`)
  const next = saved.size < capacity ? [] : [' The next one replaces ', bdi(shown[0].name), '.']
  ui.order.replaceChildren(...saved.size ? ['In the order of saving.', ...next] : [])
  drawFavorites(shown)
}

function drawFavorites(shown) {
  const [grid, cards] = [ui.saved, [...ui.saved.children]]
  const focused = cards.findIndex(card => card.contains(document.activeElement))
  for (const card of cards) if (!saved.has(card.dataset.id)) card.remove()
  shown.forEach((character, place) => {
    const card = cards.find(({ dataset }) => dataset.id === character.id) ?? makeCard(character)
    if (grid.children[place] !== card) grid.insertBefore(card, grid.children[place])
    near.observe(card)
  })
  ui.none.hidden = saved.size > 0 || !favorites.list
  const isLost = focused >= 0 && !grid.contains(document.activeElement)
  if (isLost) (grid.children[Math.min(focused, saved.size - 1)] ?? ui.none).querySelector('button').focus()
}

/** Shows a change at once, sends it in its turn, and takes it back if it fails. */
export function change(character, isSaved = !saved.has(character.id), isUndo = false, requestId = newRequestId()) {
  const { id, name } = character
  const entry = { isSaved, character }
  settle(id)
  changes.set(id, entry)
  redraw()
  return queue = queue.then(async () => {
    if (changes.get(id) !== entry) return
    try {
      const { revision = 0, evicted = [] } = await client.toggle(id, isSaved, requestId)
      entry.revision = BigInt(revision)
      const tell = () => say(bdi(name), isSaved ? ' saved.' : ' removed.')
      load().then(() => later.offerUndo(character, isSaved, isUndo, evicted), tell)
      return changes.get(id) === entry
    } catch (error) {
      if (changes.get(id) !== entry) return
      changes.delete(id)
      const title = [bdi(name), isSaved ? ' was not saved.' : ' was not removed.']
      report(id, title, error, () => change(character, isSaved, isUndo, requestId))
    }
    redraw()
  }).catch(reportError)
}

export const counts = { comicCount: 'Comics', seriesCount: 'Series', storyCount: 'Stories', eventCount: 'Events' }
export const hasCounts = character => Object.keys(counts).some(key => character[key])
const characters = new Map()
const characterOf = node => characters.get(node.closest('.card')?.dataset.id)

function makeCard(character, pattern) {
  const { id, name, comicCount = 0 } = character
  const card = ui.card.content.firstElementChild.cloneNode(true)
  const [main, more] = card.children
  const [, , title, note] = main.children
  const [start, textContent, end] = name.split(pattern)
  characters.set(id, character)
  card.dataset.id = id
  main.ariaPressed = saved.has(id)
  title.append(...[start, textContent && make('mark', { textContent }), end].filter(Boolean))
  note.textContent = hasCounts(character) ? some(comicCount, 'comic') : '? comics'
  more.ariaLabel = `Details of ${name}`
  return card
}
ui.main.onclick = ({ target }) => {
  const character = characterOf(target)
  if (target.closest('.toggle')) change(character)
  else if (target.closest('.info')) open('showDetails', character)
}
const release = ({ target, type }) => URL.revokeObjectURL(target.src) ?? (type === 'error' && target.remove())
for (const type of ['load', 'error']) document.addEventListener(type, release, true)

/** Makes a picture. Its address changes with the character, as browsers cache it. */
export function picture({ id, modified }, variant) {
  const image = make('img', { alt: '' })
  const path = modified ? `${variant}?${modified}` : variant
  if (client.token) client.picture(id, path).then(blob => image.src = URL.createObjectURL(blob), () => image.remove())
  else image.src = client.pictureURL(id, path)
  return image
}

export const search = { query: '', match: '', token: '', isFirst: true, stop: new AbortController() }
export const isSearchable = query => [...query].length > 1
const matchName = match => `MATCH_${match.toUpperCase()}`
export let typing
let work = 0
export const busy = step => ui.bar.hidden = (work += step) === 0

/** Searches for what is typed. Typing on changes the address; another query adds to the history. */
export function run(isBack) {
  if (ui.match.selectedOptions[0]?.disabled ?? true) ui.match.value = defaults.match
  const [query, before, isSame] = [ui.query.value.trim(), search.query, ui.match.value === search.match]
  const isRefined = isSame && (query === before || query && (query.startsWith(before) || before.startsWith(query)))
  clearTimeout(typing)
  if (query !== before || !isSame) find()
  writeAddress(!isBack && !isRefined)
}

export function find() {
  const [query, match] = [ui.query.value.trim(), ui.match.value]
  search.stop.abort()
  Object.assign(search, { query, match, token: '', isFirst: true, stop: new AbortController() })
  ui.more.hidden = ui.end.hidden = true
  loadPage()
}

async function loadPage() {
  const { query, match, isFirst, token: pageToken, stop: { signal } } = search
  settle(loadPage)
  if (!isSearchable(query)) return drawEmpty()
  ui.start.hidden = true
  const isEmpty = isFirst && !ui.results.querySelector('.toggle')
  if (isEmpty) {
    ui.results.replaceChildren()
    ui.found.textContent = 'Searching'
    addCards(Array.from(Array(10), () => make('div', { className: 'card skeleton' })))
  }
  busy(1)
  try {
    drawPage((await client.search(query, { match: matchName(match), pageToken, signal }).next()).value)
  } catch (error) {
    if (signal.aborted) return
    if (isEmpty) ui.results.replaceChildren()
    if (isFirst) ui.found.textContent = isEmpty ? '' : 'Results of the last search'
    report(loadPage, ['The search failed.'], error, error.reason === 'PAGE_TOKEN_INVALID' ? find : loadPage)
  } finally {
    busy(-1)
  }
}

/** Adds cards in groups of 24, which 1 to 4, 6, 8 and 12 columns divide. */
function addCards(cards) {
  for (let start = 0; start < cards.length;) {
    const last = ui.results.lastElementChild
    const group = last?.childElementCount < 24 ? last : make('div', { className: 'cards' })
    group.append(...cards.slice(start, start += 24 - group.childElementCount))
    if (group !== last) ui.results.append(group)
  }
}

function drawPage({ characters = [], total = 0, nextPageToken = '', attribution, freshness }) {
  const { query, isFirst } = search
  const hadFocus = document.activeElement === ui.more
  // The query's letters with any punctuation between them, and all after
  const letters = query.match(/[\p{L}\p{N}]/gu)?.join('[^\\p{L}\\p{N}]*')
  const pattern = letters && new RegExp(`(${letters})(.*)`, 'ius')
  const cards = characters.map(character => makeCard(character, pattern))
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
  if (!count && !nextPageToken) drawEmpty()
  // Near ones are observed again.
  near.disconnect()
  waiting.clear()
  for (const node of [ui.more, ...ui.saved.children, ...ui.results.children]) near.observe(node)
}

// Near cards get their pictures, four a frame. A near button loads more.
const variant = devicePixelRatio > 1 ? 'detail' : 'standard_fantastic'
const waiting = new Set()
const near = new IntersectionObserver(entries => {
  if (!waiting.size) requestAnimationFrame(fill)
  for (const { target, isIntersecting: isNear } of entries) {
    if (isNear && target === ui.more && !failed.has(loadPage)) ui.more.click()
    if (isNear) for (const box of target.querySelectorAll('.picture:empty')) waiting.add(box)
    else for (const box of waiting) if (target.contains(box)) waiting.delete(box)
  }
}, { rootMargin: '600px' })

function fill() {
  for (const box of [...waiting].slice(0, 4)) waiting.delete(box) && box.append(picture(characterOf(box), variant))
  if (waiting.size) requestAnimationFrame(fill)
}
ui.more.onclick = () => work || loadPage()
const widerMatch = () => [...ui.match.options].slice(ui.match.selectedIndex + 1).find(({ disabled }) => !disabled)

function drawEmpty() {
  const [, text, action] = ui.start.children
  const isFruitless = isSearchable(search.query)
  const next = widerMatch() ? `Try “${widerMatch().text}”` : 'Clear the search'
  const invitation = info.characterCount ? `Search ${number(info.characterCount)} characters: type` : 'Type'
  ui.results.replaceChildren()
  ui.found.textContent = ''
  const missing = ['No character found for ', bdi(`“${search.query}”`), '.']
  text.replaceChildren(...isFruitless ? missing : [invitation, ' two letters of a name.'])
  action.textContent = isFruitless ? next : ''
  ui.start.hidden = false
  if (isFruitless) later?.closeOptions()
}
ui.start.lastElementChild.onclick = () => {
  if (widerMatch()) widerMatch().selected = true
  else ui.query.value = ''
  ui.query.focus()
  run()
}
ui.query.oninput = () => {
  clearTimeout(typing)
  typing = setTimeout(run, 300)
}
ui.search.firstElementChild.onsubmit = () => {
  load().then(() => later.choose(ui.query.value), () => run())
  return false
}
ui.match.onchange = () => run()
const layOut = layout => ui.layout.ariaPressed = (document.body.dataset.layout = layout) === 'list'
ui.layout.onclick = () => move(() => layOut(kept('layout', ui.layout.ariaPressed === 'true' ? 'grid' : 'list')))

export let info = {}
ui.register.onclick = () => open('edit', {})

/** Follows the list, unless this tab is hidden and shares none. */
export const follow = () => { if (favorites.isShared || !document.hidden) favorites.start() }

export async function begin() {
  follow()
  try {
    info = await client.info()
    ui.attribution.textContent ||= info.attribution ?? ''
    ui.register.hidden = !info.canEdit
    for (const option of ui.match.options) option.disabled = !info.matches.includes(matchName(option.value))
    run(true)
    if (!isSearchable(search.query)) drawEmpty()
  } catch (error) {
    report(begin, ['The catalog does not answer.'], error)
  }
}
ui.skip.onclick = () => ui.main.focus() ?? false
ui.none.lastElementChild.onclick = () => show(ui.searchTab, ui.query)
ononline = update
onoffline = follow
document.onvisibilitychange = () => document.hidden ? favorites.isShared || favorites.stop() : follow()
layOut(kept('layout') ?? 'grid')
onpopstate()
begin()
