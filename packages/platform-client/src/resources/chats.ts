import type { Chat, ChatDelta, CreateChat, ListChats } from '../api/chat.js'
import type { ChatResponse, ChatResponseEvent, CreateChatResponse } from '../api/chat-response.js'
import type { EventStream, Page, Pages } from '../api/page.js'
import type { CreateWebChat, CreateWebChatResponse, WebChat } from '../api/web-chat.js'
import type { RequestOptions } from '../request/request-input.js'

/** Conversations in writing with an assistant. */
export interface Chats {
  /** One page of the chats: `GET /chat`. */
  list(query?: ListChats, options?: RequestOptions): Promise<Page<Chat>>

  /** All chats, page after page: `GET /chat`. */
  pages(query?: ListChats, options?: RequestOptions): Pages<Chat>

  /** Asks an assistant and waits for the whole answer: `POST /chat`. A session and a previous chat exclude each other. */
  create(body: CreateChat, options?: RequestOptions): Promise<Chat>

  /** Asks an assistant; its answer comes piece by piece: `POST /chat`. */
  stream(body: CreateChat, options?: RequestOptions): EventStream<ChatDelta>

  /** One chat: `GET /chat/{id}`. */
  get(id: string, options?: RequestOptions): Promise<Chat>

  /** `DELETE /chat/{id}`. */
  delete(id: string, options?: RequestOptions): Promise<Chat | undefined>

  /** As `create`, in the form of OpenAI's Responses API: `POST /chat/responses`. */
  createResponse(body: CreateChatResponse, options?: RequestOptions): Promise<ChatResponse>

  /** As `stream`, with the events of OpenAI's Responses API; `type` tells them apart: `POST /chat/responses`. */
  streamResponse(body: CreateChatResponse, options?: RequestOptions): EventStream<ChatResponseEvent>

  /** Asks a stored assistant from the browser and waits for the whole answer: `POST /chat/web`. */
  createWeb(body: CreateWebChat, options?: RequestOptions): Promise<WebChat>

  /** Asks a stored assistant from the browser; its answer comes piece by piece: `POST /chat/web`. */
  streamWeb(body: CreateWebChat, options?: RequestOptions): EventStream<ChatDelta>

  /** As `createWeb`, in the form of OpenAI's Responses API: `POST /chat/web/responses`. */
  createWebResponse(body: CreateWebChatResponse, options?: RequestOptions): Promise<ChatResponse>

  /** As `streamWeb`, with the events of OpenAI's Responses API: `POST /chat/web/responses`. */
  streamWebResponse(body: CreateWebChatResponse, options?: RequestOptions): EventStream<ChatResponseEvent>
}
