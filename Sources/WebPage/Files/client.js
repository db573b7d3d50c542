// The calls of a marvel-rpc server. Messages are proto3's JSON.

const service = 'marvel.v1.MarvelService'
// An idle watch has a message every 30 s.
const longestSilence = 45_000

/** A failed call. Without an answer the reason is NETWORK, TIMEOUT or HTTP_ and the status. */
export class MarvelError extends Error {
  constructor(code, reason, message, { metadata = {}, fieldViolations = [], retryDelay = '0s' } = {}) {
    super(message)
    Object.assign(this, { code, reason, metadata, fields: fieldViolations, retryAfter: 1000 * parseFloat(retryDelay) })
  }

  /** Whether the server could not be reached, or is being replaced. */
  get isLoss() { return /^(NETWORK|TIMEOUT|DRAINING|HTTP_50[234])$/.test(this.reason) }
  get isUncertain() { return /^(NETWORK|TIMEOUT|HTTP_50[24]|\w+_OUTCOME_UNKNOWN)$/.test(this.reason) }

  static from({ code, message, details = [] }) {
    const { reason = '', ...debug } = Object.assign({}, ...details.map(detail => detail.debug))
    return new MarvelError(code, reason, message, debug)
  }

  static loss(error) {
    if (error instanceof MarvelError) return error
    if (error.name !== 'TimeoutError') return new MarvelError('unavailable', 'NETWORK', 'The server cannot be reached.')
    return new MarvelError('deadline_exceeded', 'TIMEOUT', 'The server did not answer in time.')
  }
}

/** Returns a message with its prefix in a stream: a byte of flags, and four of the length. */
export function envelope(message) {
  const bytes = new TextEncoder().encode('\0\0\0\0\0' + JSON.stringify(message))
  new DataView(bytes.buffer).setUint32(1, bytes.length - 5)
  return bytes
}

/** Cuts a stream into messages, and yields those that bytes complete. */
export class EnvelopeReader {
  #bytes = new Uint8Array();
  *read(next) {
    this.#bytes = new Uint8Array([...this.#bytes, ...next])
    while (this.#bytes.length >= 5) {
      const end = 5 + new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getUint32(1)
      if (end > this.#bytes.length) return
      const message = JSON.parse(new TextDecoder().decode(this.#bytes.subarray(5, end)))
      yield { isLast: (this.#bytes[0] & 2) !== 0, message }
      this.#bytes = this.#bytes.subarray(end)
    }
  }
}

// randomUUID is missing on pages without TLS.
export const newRequestId = () => crypto.getRandomValues(new Uint32Array(3)).join('-')

/** The wait before another attempt, in milliseconds. Half of it is random. */
export const backoff = (attempt, random = Math.random()) => Math.min(30_000, 500 * 2 ** attempt) * (1 + random) / 2

/** The list, null at first, after an event of its watch. */
export function merge(list, { snapshot, changed, place }) {
  if (snapshot) return { favorites: [], revision: '0', ...snapshot, place }
  if (!list || !changed) return list && { ...list, place }
  const { revision, saved, removed, evicted = [], cleared = [] } = changed
  if (BigInt(revision) <= BigInt(list.revision)) return list
  const gone = new Set([saved, removed, ...evicted, ...cleared].map(favorite => favorite?.character.id))
  const kept = list.favorites.filter(({ character }) => !gone.has(character.id))
  return { ...list, favorites: saved ? [...kept, saved] : kept, revision, place }
}

export class MarvelClient {
  #waits = new Set()

  constructor({ base = new URL('.', import.meta.url), list = 'default', token = '' } = {}) {
    Object.assign(this, { base, list, token })
    globalThis.addEventListener?.('online', () => this.#wake())
  }

  info(options) { return this.call('GetCatalogInfo', {}, options) }
  character(id) { return this.call('GetCharacter', { id, list: this.list }) }
  suggest(query, { limit, signal } = {}) { return this.call('SuggestNames', { query, limit }, { signal }) }
  create(request, requestId) { return this.#callOnce('CreateCharacter', request, requestId) }
  update(request, requestId) { return this.#callOnce('UpdateCharacter', request, requestId) }

  async *search(query, { match = 'MATCH_PREFIX', pageSize = 10, pageToken = '', signal } = {}) {
    do {
      const request = { query, match, pageSize, pageToken, list: this.list, maxPages: 1 }
      const page = await this.call('SearchCharacters', request, { signal })
      yield page
      pageToken = page.nextPageToken
    } while (pageToken)
  }

  toggle(id, isSaved, requestId, until) {
    const desired = isSaved ? 'DESIRED_SAVED' : 'DESIRED_REMOVED'
    return this.#callOnce('ToggleFavorite', { list: this.list, characterId: id, desired }, requestId, until)
  }
  pictureURL(id, variant) { return new URL(`pictures/${id}/${variant}`, this.base).href }
  picture(id, variant) { return this.#fetch(this.pictureURL(id, variant), {}, response => response.blob()) }

  /** Throws only what no repeat can mend. */
  async *watch({ place = '', signal, onLoss, onResume } = {}) {
    for (let attempt = 0; !signal?.aborted; attempt++) {
      let failure
      // A resumed watch is silent until the next change. This call proves nothing for the one before.
      if (attempt || place) this.info({ isProbe: true }).then(() => failure || onResume?.(), () => {})
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

  call(method, message, { signal, timeout = 10_000, isProbe } = {}) {
    const headers = { 'content-type': 'application/json', 'connect-timeout-ms': timeout }
    const request = { method: 'POST', headers, body: JSON.stringify(message), signal }
    return this.#fetch(`${service}/${method}`, request, response => response.json(), timeout, isProbe)
  }

  /** A call that failed is sent again with the same id: it is carried out once. */
  async #callOnce(method, message, requestId = newRequestId(), until = Date.now() + 20_000) {
    for (let attempt = 0, unknown; ; attempt++) {
      try {
        return await this.call(method, { ...message, requestId }, { timeout: message.picture ? 1e4 : 5e3 })
      } catch (error) {
        if (error.isUncertain) unknown ??= error
        // A refusal for now tells nothing of the attempt before.
        if (!/unavail|exhaust|dead/.test(error.code)) throw error
        if (!(error.isLoss || error.retryAfter) || Date.now() + error.retryAfter > until) throw unknown ?? error
        await this.#pause(error, attempt)
      }
    }
  }

  /** Waits for another attempt, or for the next success unless the server named a time. */
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

  async #fetch(path, { signal, ...request }, read, timeout = 10_000, isProbe = false) {
    try {
      const answer = await read(await this.#send(path, request, signal, AbortSignal.timeout(timeout)))
      if (!isProbe) this.#wake()
      return answer
    } catch (error) {
      throw signal?.aborted ? error : MarvelError.loss(error)
    }
  }

  async *#stream(method, message, signal) {
    const silence = new AbortController()
    const end = () => silence.abort(new DOMException('', 'TimeoutError'))
    let timer = setTimeout(end, longestSilence)
    try {
      const headers = { 'content-type': 'application/connect+json' }
      const request = { method: 'POST', headers, body: envelope(message) }
      const { body } = await this.#send(`${service}/${method}`, request, signal, silence.signal)
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
      throw MarvelError.loss(error)
    } finally {
      clearTimeout(timer)
      end()
    }
  }

  async #send(path, request, ...signals) {
    const headers = { ...request.headers, ...this.token && { authorization: `Bearer ${this.token}` } }
    const signal = AbortSignal.any(signals.filter(Boolean))
    const response = await fetch(new URL(path, this.base), { ...request, headers, signal })
    if (response.ok) return response
    const [{ status }, text] = [response, await response.text()]
    if (text.startsWith('{"code"')) throw MarvelError.from(JSON.parse(text))
    // The answer of a proxy.
    const code = { 401: 'unauthenticated', 403: 'permission_denied' }[status] ?? 'unavailable'
    throw new MarvelError(code, `HTTP_${status}`, `The server answered with the HTTP status ${status}.`)
  }
}

/** A list that follows its watch. Tabs share one stream: browsers open six connections, and stop hidden tabs. */
export class SharedList {
  list = null
  status = 'connecting'
  #end

  constructor(client, onChange) { Object.assign(this, { client, onChange }) }
  // Pages without TLS on another machine have no locks.
  get isShared() { return !!globalThis.navigator?.locks && !this.client.token }

  start(steal = globalThis.document?.hidden === false) {
    this.stop()
    this.#set({ status: 'connecting', error: null, attempt: 0 })
    const { signal } = this.#end = new AbortController()
    if (!this.isShared) return this.#watch(signal)
    const name = `${this.client.base} ${this.client.list}`
    const channel = new BroadcastChannel(name)
    let share
    channel.onmessage = ({ data }) => data === 'hello' ? share?.() : share || this.#set(data)
    channel.postMessage('hello')
    signal.addEventListener('abort', () => channel.close())
    navigator.locks.request(name, steal ? { steal } : { signal }, () => {
      share = () => channel.postMessage({ list: this.list, status: this.status, attempt: this.attempt })
      return this.#watch(signal, share)
    }).catch(({ code }) => code === 20 && !signal.aborted && this.start(false))
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
