// The page: two tabs over the calls of client.js. Text from the server becomes text nodes only.

import { MarvelClient, MarvelError, SharedList, newRequestId } from './client.js'

/** The elements by their ids. */
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

/** Reads or writes what the browser keeps, if it keeps anything. */
export function kept(key, value, storage = 'localStorage') {
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
    const panel = ui[tab.getAttribute('aria-controls')]
    if (tab !== chosen && panel.contains(document.activeElement)) chosen.focus()
    panel.hidden = tab !== chosen
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

// Parts that the first use of the page loads: dialogs, suggestions, and the toast
let later, loading
let failures = 0

const load = () => loading ??= loadOnce()

function loadOnce() {
  const styled = new Promise((onload, onerror) =>
    document.head.append(make('link', { rel: 'stylesheet', href: 'later.css', onload, onerror })))
  // Some browsers keep a module that failed to load.
  const address = `./later.js${failures ? `?${failures}` : ''}`
  const script = import(address).catch(error => {
    failures++
    throw error
  })
  return Promise.all([script, styled]).then(([part]) => later = part, error => {
    loading = null
    loadSoon()
    throw MarvelError.loss(error)
  })
}

/** Opens a dialog by a function of `later.js`. */
function open(dialog, value) {
  busy(1)
  load().then(() => later[dialog](value), error =>
    report(['The dialog was not loaded.'], error, () => open(dialog, value))).finally(() => busy(-1))
}
function loadSoon() {
  for (const sign of ['pointerover', 'focusin']) addEventListener(sign, () => load().catch(() => {}), { once: true })
}
loadSoon()

// Errors: one place for all
export const [errorText, errorAction, errorClose] = ui.error.children
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
  errorAction.onclick = () => wantsToken ? open('askForToken', error) : again()
  ui.error.dataset.reason = error.reason
  ui.error.hidden = false
  // Behind a dialog nobody could read why a change failed.
  if (error !== favorites.error) ui.details?.close()
  if (error.code === 'unauthenticated') open('askForToken', error)
}

export function hide(node) {
  const dialog = document.querySelector('dialog[open]')
  if (node.contains(document.activeElement)) (dialog?.querySelector('button') ?? ui.main).focus()
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
errorClose.onclick = () => {
  unsent.clear()
  dismiss()
}

// Tokens: kept for this tab only
export const client = new MarvelClient({ list: listName, token: kept('token', undefined, 'sessionStorage') })

export function useToken(token) {
  client.token = kept('token', token, 'sessionStorage')
  const waiting = new Set([problem?.retry, begin, loadPage])
  dismiss()
  for (const retry of waiting) retry?.()
}

// Favorites, and the changes that have no answer yet
const changes = new Map()
const favorites = new SharedList(client, update)
export let saved = new Set()
let queue = Promise.resolve()
// The changes that did not reach the server, by their ids. They are sent again, each with its request id.
const unsent = new Map()
let gone, wasLive

function resend() {
  const retries = [...unsent.values()]
  unsent.clear()
  for (const retry of retries) retry()
}

function update() {
  const { status, error, attempt } = favorites
  const lost = navigator.onLine ? 'Reconnecting' : 'Offline'
  const text = { connecting: 'Connecting', live: 'Live', lost, failed: 'Stopped' }[status]
  ui.live.textContent = text + (listName === defaults.list ? '' : ` · ${listName}`)
  ui.live.dataset.status = status
  if (status === 'live') {
    if (problem?.error.isLoss) again()
    else if (problem?.error === gone) dismiss()
    if (!wasLive) resend()
  }
  wasLive = status === 'live'
  if (error && (status === 'failed' || attempt > 2 && !problem)) {
    gone = error
    report(['The favorites are not up to date.'], error, begin)
  }
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

export function paint(id) {
  for (const node of document.querySelectorAll(`[data-id="${id}"]`)) node.firstElementChild.ariaPressed = saved.has(id)
}

/** Shows a change at once, sends it after those before it, and takes it back if it fails. */
export function change(character, isSaved, isUndo, requestId = newRequestId()) {
  const { id, name } = character
  const entry = { isSaved, character }
  unsent.delete(id)
  const until = Date.now() + 30_000
  changes.set(id, entry)
  redraw()
  queue = queue.then(async () => {
    if (changes.get(id) !== entry) return
    try {
      const { revision = 0, evicted = [] } = await client.toggle(id, isSaved, requestId, until)
      entry.revision = BigInt(revision)
      const left = evicted.flatMap(favorite => [' ', bdi(favorite.character.name), ' left the list.'])
      const parts = [bdi(name), isSaved ? ' saved.' : ' removed.', ...left]
      load().then(() => later.offer(parts, !isUndo && (() => {
        change(character, !isSaved, true)
        for (const favorite of evicted) change(favorite.character, true, true)
      })), () => say(...parts))
    } catch (error) {
      const isLast = changes.get(id) === entry
      if (isLast) changes.delete(id)
      const retry = () => change(character, isSaved, isUndo, requestId)
      if (isLast && error.isLoss) unsent.set(id, retry)
      report([bdi(name), isSaved ? ' was not saved.' : ' was not removed.'], error, error.isLoss ? resend : retry)
    }
    redraw()
  }).catch(error => setTimeout(() => { throw error }))
}

/** Tells screen readers what changed. */
export const say = (...parts) => ui.status.replaceChildren(...parts)

// Cards and pictures
export const counts = { comicCount: 'Comics', seriesCount: 'Series', storyCount: 'Stories', eventCount: 'Events' }
export const hasCounts = character => Object.keys(counts).some(key => character[key])

function makeCard(character, [start, end] = [0, 0]) {
  const { id, name, comicCount = 0 } = character
  const card = ui.card.content.firstElementChild.cloneNode(true)
  const [main, more] = card.children
  const [box, , title, note] = main.children
  card.dataset.id = id
  main.ariaPressed = saved.has(id)
  main.onclick = () => {
    later?.remember(search.query)
    change(character, !saved.has(id))
  }
  box.append(picture(id, devicePixelRatio > 1 ? 'detail' : 'standard_fantastic'))
  title.append(name.slice(0, start), make('mark', { textContent: name.slice(start, end) }), name.slice(end))
  note.textContent = hasCounts(character) ? some(comicCount, 'comic') : '? comics'
  more.ariaLabel = `Details of ${name}`
  more.onclick = () => open('showDetails', character)
  return card
}

/** Pictures that were changed here have a new address, because the old one may be cached. */
export const versions = {}

export function picture(id, variant) {
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
export const isSearchable = query => [...query].length > 1
const matchName = match => `MATCH_${match.toUpperCase()}`
export let typing
let work = 0
export const busy = step => ui.bar.hidden = (work += step) === 0

/** Searches for what is typed. Typing on changes the address; another query gets an entry in the history. */
export function run() {
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
    report(['The search failed.'], error, error.reason === 'PAGE_TOKEN_INVALID' ? () => find(query, match) : loadPage)
  } finally {
    busy(-1)
  }
}

/** Adds cards in groups of 24, which 1 to 4, 6, 8 and 12 columns divide. */
function addCards(cards) {
  for (const card of cards) {
    const last = ui.results.lastElementChild
    const group = last?.childElementCount < 24 ? last : make('div', { className: 'cards' })
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
  later?.closeOptions()
  const wider = [...ui.match.options].slice(ui.match.selectedIndex + 1).find(({ hidden }) => !hidden)
  drawEmpty(['No character found for ', bdi(`“${search.query}”`), '.'], wider ? `Try “${wider.text}”` : 'Clear the search', () => {
    if (wider) wider.selected = true
    else ui.query.value = ''
    ui.query.focus()
    run()
  })
}

const drawStart = () =>
  drawEmpty([`${info.characterCount ? `Search ${number(info.characterCount)} characters: type` : 'Type'} two letters of a name.`])

ui.query.oninput = () => {
  clearTimeout(typing)
  typing = setTimeout(run, 300)
}
ui.search.firstElementChild.onsubmit = event => {
  event.preventDefault()
  load().then(() => later.choose(ui.query.value), run)
}
ui.match.onchange = run

// Grid or list
const layOut = layout => ui.layout.ariaPressed = (document.body.dataset.layout = layout) === 'list'
ui.layout.onclick = () => transition(() => layOut(kept('layout', ui.layout.ariaPressed === 'true' ? 'grid' : 'list')))

// Start
export let info = {}
ui.register.onclick = () => open('edit', {})

/** Follows the list, unless this tab would hold a connection of its own that nobody looks at. */
function follow() {
  if (favorites.isShared || !document.hidden) favorites.start()
}

async function begin() {
  follow()
  try {
    info = await client.info()
    ui.attribution.textContent ||= info.attribution ?? ''
    ui.register.hidden = !info.canEdit
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
onoffline = follow
document.onvisibilitychange = () => favorites.isShared || (document.hidden ? favorites.stop() : follow())
layOut(kept('layout') ?? 'grid')
onpopstate()
update()
begin()
