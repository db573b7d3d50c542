// The calls of a marvel-rpc server as promises and async iterators, without a DOM. Messages are proto3's JSON: ids and
// revisions are strings of digits, and empty fields are missing.

const service = 'marvel.v1.MarvelService'
// An idle watch has a message every 30 s.
const longestSilence = 45_000
const utf8 = new TextDecoder()

/**
 * A failed call: Connect's `code`, the `reason` and `metadata` of ErrorInfo, the `fields` of BadRequest, and `retryAfter`
 * in milliseconds. `message` is for people. Without an answer the reason is NETWORK, TIMEOUT, or HTTP_502.
 */
export class MarvelError extends Error {
  constructor(code, reason, message, details) {
    super(message)
    Object.assign(this, { name: 'MarvelError', code, reason, metadata: {}, fields: [], retryAfter: 0 }, details)
  }

  /** Whether the server could not be reached, or is being replaced. */
  get isLoss() { return /^(NETWORK|TIMEOUT|DRAINING|HTTP_50[234])$/.test(this.reason) }

  static from({ code = 'unknown', message = '', details = [] }) {
    const error = new MarvelError(code, '', message)
    for (const { type, value, debug } of details) {
      const fields = [...protoFields(Uint8Array.from(atob(value), letter => letter.charCodeAt(0)))]
      if (type === 'google.rpc.ErrorInfo') Object.assign(error, debug)
      if (type === 'google.rpc.RetryInfo') {
        const { 1: seconds = 0, 2: nanoseconds = 0 } = Object.fromEntries(protoFields(fields[0]?.[1] ?? []))
        error.retryAfter = seconds * 1000 + Math.ceil(nanoseconds / 1e6)
      }
      if (type === 'google.rpc.BadRequest') {
        error.fields = fields.map(([, violation]) => {
          const [field, description] = Array.from(protoFields(violation), ([, text]) => utf8.decode(text))
          return { field, description }
        })
      }
    }
    return error
  }
}

/** Reads a protobuf message as pairs of a field's number and its value, a number or bytes. */
function* protoFields(bytes) {
  let at = 0
  const number = () => {
    const byte = bytes[at++] ?? 0
    return byte < 128 ? byte : byte - 128 + 128 * number()
  }
  while (at < bytes.length) {
    const key = number()
    const value = number()
    yield [key >> 3, key & 7 ? bytes.subarray(at, at += value) : value]
  }
}

/** Returns a message with its prefix in a stream: a byte of flags, and four of the length. */
export function envelope(message) {
  const bytes = new TextEncoder().encode(JSON.stringify(message))
  const framed = new Uint8Array(5 + bytes.length)
  new DataView(framed.buffer).setUint32(1, bytes.length)
  framed.set(bytes, 5)
  return framed
}

/** Cuts a stream into messages. */
export class EnvelopeReader {
  #bytes = new Uint8Array();

  /** Takes the next bytes, and yields the messages that they complete. */
  *read(next) {
    const bytes = new Uint8Array(this.#bytes.length + next.length)
    bytes.set(this.#bytes)
    bytes.set(next, this.#bytes.length)
    let at = 0
    while (at + 5 <= bytes.length) {
      const end = at + 5 + new DataView(bytes.buffer).getUint32(at + 1)
      if (end > bytes.length) break
      yield { isLast: (bytes[at] & 2) !== 0, message: JSON.parse(utf8.decode(bytes.subarray(at + 5, end))) }
      at = end
    }
    this.#bytes = bytes.subarray(at)
  }
}

/** The wait before another attempt, in milliseconds: twice as long each time, up to 30 s; half of it is random. */
export function backoff(attempt, random = Math.random()) {
  return Math.min(30_000, 500 * 2 ** attempt) * (1 + random) / 2
}

/** Returns a list after an event of its watch: `favorites`, `revision`, `capacity` and `place`. It is null at first. */
export function merge(list, { snapshot, changed, place }) {
  if (snapshot) return { favorites: [], revision: '0', capacity: 0, ...snapshot, place }
  if (!list || !changed) return list && { ...list, place }
  const { revision, saved, removed, evicted = [], cleared = [] } = changed
  if (BigInt(revision) <= BigInt(list.revision)) return list
  const gone = new Set([saved, removed, ...evicted, ...cleared].map(favorite => favorite?.character.id))
  const kept = list.favorites.filter(({ character }) => !gone.has(character.id))
  return { ...list, favorites: saved ? [...kept, saved] : kept, revision, place }
}

export class MarvelClient {
  #waits = new Set()

  /** `base` is the address of the server; without it, the server that this file came from. */
  constructor({ base = new URL('.', import.meta.url), list = 'default', token = '' } = {}) {
    Object.assign(this, { base, list, token })
    globalThis.addEventListener?.('online', () => this.#wake())
  }

  info() { return this.call('GetCatalogInfo', {}) }
  character(id) { return this.call('GetCharacter', { id, list: this.list }) }
  suggest(query, { limit, signal } = {}) { return this.call('SuggestNames', { query, limit }, { signal }) }
  create(request) { return this.#callOnce('CreateCharacter', request) }
  update(request) { return this.#callOnce('UpdateCharacter', request) }

  /** Finds characters, page by page. After a failure, the last `nextPageToken` continues it as `pageToken`. */
  async *search(query, { match = 'MATCH_PREFIX', pageSize = 10, pageToken = '', signal } = {}) {
    do {
      const request = { query, match, pageSize, pageToken, list: this.list, maxPages: 1 }
      const page = await this.call('SearchCharacters', request, { signal })
      yield page
      pageToken = page.nextPageToken
    } while (pageToken)
  }

  /** Saves a character or removes it. It repeats what had no answer `until` a time; nothing is changed twice. */
  toggle(id, isSaved, until) {
    const desired = isSaved ? 'DESIRED_SAVED' : 'DESIRED_REMOVED'
    return this.#callOnce('ToggleFavorite', { list: this.list, characterId: id, desired }, until)
  }

  /** The address of a picture, if the server needs no token: `img` elements send none. */
  pictureURL(id, variant) { return new URL(`pictures/${id}/${variant}`, this.base).href }

  /** A picture as a `Blob`. */
  picture(id, variant) { return this.#fetch(`pictures/${id}/${variant}`, {}, response => response.blob()) }

  /** Watches the list from a place, or from a snapshot, and resumes after losses. Throws only what no repeat can mend. */
  async *watch({ place = '', signal, onLoss, onResume } = {}) {
    for (let attempt = 0; ; attempt++) {
      let failure
      // A watch that resumes is silent until the next change.
      if (attempt) this.info().then(() => failure || onResume?.(), () => {})
      try {
        for await (const event of this.#stream('WatchFavorites', { list: this.list, place }, signal)) {
          attempt = 0
          place = event.place ?? place
          this.#wake()
          yield event
        }
        failure = new MarvelError('unavailable', 'NETWORK', 'The server ended the watch.')
      } catch (error) {
        if (/unauth|denied|argument|condition|unimpl/.test(error.code)) throw error
        failure = error
      }
      if (signal?.aborted) return
      onLoss?.(failure, attempt)
      await this.#pause(failure, attempt, signal)
    }
  }

  /** Calls a method for one answer. */
  call(method, message, { signal, timeout = 10_000 } = {}) {
    const headers = { 'content-type': 'application/json', 'connect-timeout-ms': timeout }
    const init = { method: 'POST', headers, body: JSON.stringify(message), signal }
    return this.#fetch(`${service}/${method}`, init, response => response.json(), timeout)
  }

  async #callOnce(method, message, until = Date.now() + 20_000) {
    // randomUUID is missing on pages without TLS.
    const requestId = Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-')
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.call(method, { ...message, requestId }, { timeout: 5000 })
      } catch (error) {
        if (!(error.isLoss || error.retryAfter) || Date.now() + error.retryAfter > until) throw error
        await this.#pause(error, attempt)
      }
    }
  }

  /** Waits for another attempt; not longer than for the next successful call, unless the server named a time. */
  #pause({ retryAfter }, attempt, signal) {
    return new Promise(resolve => {
      setTimeout(resolve, Math.max(retryAfter, backoff(attempt)))
      signal?.addEventListener('abort', resolve)
      if (!retryAfter) this.#waits.add(resolve)
    })
  }

  #wake() {
    for (const resolve of this.#waits) resolve()
    this.#waits.clear()
  }

  async #fetch(path, { signal, ...init }, read, timeout = 10_000) {
    try {
      const answer = await read(await this.#send(path, init, signal, AbortSignal.timeout(timeout)))
      this.#wake()
      return answer
    } catch (error) {
      throw signal?.aborted ? error : lossOf(error)
    }
  }

  async *#stream(method, message, signal) {
    const silence = new AbortController()
    const end = () => silence.abort(new DOMException('', 'TimeoutError'))
    let timer = setTimeout(end, longestSilence)
    try {
      const init = { method: 'POST', headers: { 'content-type': 'application/connect+json' }, body: envelope(message) }
      const { body } = await this.#send(`${service}/${method}`, init, signal, silence.signal)
      const [reader, envelopes] = [body.getReader(), new EnvelopeReader()]
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        clearTimeout(timer)
        timer = setTimeout(end, longestSilence)
        for (const { isLast, message } of envelopes.read(value)) {
          if (message.error) throw MarvelError.from(message.error)
          if (isLast) return
          yield message
        }
      }
    } catch (error) {
      throw lossOf(error)
    } finally {
      clearTimeout(timer)
      end()
    }
  }

  async #send(path, init, ...signals) {
    const headers = { ...init.headers, ...this.token && { authorization: `Bearer ${this.token}` } }
    const signal = AbortSignal.any(signals.filter(Boolean))
    const response = await fetch(new URL(path, this.base), { ...init, headers, signal })
    if (response.ok) return response
    const text = await response.text()
    if (text.startsWith('{"code"')) throw MarvelError.from(JSON.parse(text))
    // The answer of a proxy, or of a server without this service.
    const code = { 401: 'unauthenticated', 403: 'permission_denied' }[response.status] ?? 'unavailable'
    throw new MarvelError(code, `HTTP_${response.status}`, `The server answered with the HTTP status ${response.status}.`)
  }
}

function lossOf(error) {
  if (error instanceof MarvelError) return error
  return error.name === 'TimeoutError'
    ? new MarvelError('deadline_exceeded', 'TIMEOUT', 'The server did not answer in time.')
    : new MarvelError('unavailable', 'NETWORK', 'The server cannot be reached.')
}

/**
 * A list that follows its watch: `list` as `merge` returns it, `status` (connecting, live, lost, failed), and `error` and
 * `attempt` of the last failure. The tabs of an origin share one stream, because a browser opens six connections to a
 * server. A page without TLS has no locks, and a stream of its own.
 */
export class SharedList {
  list = null
  status = 'connecting'
  #end

  constructor(client, onChange) { Object.assign(this, { client, onChange }) }

  async start() {
    this.stop()
    const { signal } = this.#end = new AbortController()
    if (!globalThis.navigator?.locks) return this.#watch(signal)
    // Tabs with other tokens may see other lists.
    const token = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(this.client.token))
    if (signal.aborted) return
    const name = `watch:${this.client.list}:${new Uint32Array(token, 0, 2).join('-')}`
    const channel = new BroadcastChannel(name)
    let share
    channel.onmessage = ({ data }) => {
      if (data === 'hello') share?.()
      else if (!share) this.#set(data)
    }
    channel.postMessage('hello')
    signal.addEventListener('abort', () => channel.close())
    navigator.locks.request(name, { signal }, () => {
      share = () => channel.postMessage({ list: this.list, status: this.status, attempt: this.attempt })
      return this.#watch(signal, share)
    }).catch(() => {})
  }

  stop() { this.#end?.abort() }

  async #watch(signal, share) {
    const set = state => {
      if (signal.aborted) return
      this.#set(state)
      if (state.status !== 'failed') share?.()
    }
    try {
      const onLoss = (error, attempt) => set({ status: 'lost', error, attempt })
      const onResume = () => set({ status: 'live', error: null })
      for await (const event of this.client.watch({ place: this.list?.place, signal, onLoss, onResume })) {
        set({ list: merge(this.list, event), status: 'live', error: null })
      }
    } catch (error) {
      set({ status: 'failed', error })
    }
  }

  #set(state) {
    Object.assign(this, state)
    this.onChange()
  }
}
