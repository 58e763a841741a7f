import type { CallHeaders } from '@/server/platform/messages/client-address';

/** A delivery before its body is read. */
export interface DeliveryHead {
  method: string;
  /** As sent, without the query. */
  path: string;
  rawQuery: string;
  headers: CallHeaders;
}

/** The check of one body that arrives in parts. */
export interface BodyCheck {
  update(chunk: Uint8Array): void;
  /** Whether the body is valid. Call it after the last part. */
  isValid(): boolean;
}

/** One way to know that a delivery comes from its sender. Comparisons of secrets take constant time. */
export interface WebhookVerifier {
  /** Names of the headers that it reads, in lower case. They are left out of a run's input. */
  readonly reads: readonly string[];
  /** Before the body is read: could these headers belong to a valid delivery? */
  admits(head: DeliveryHead): boolean | Promise<boolean>;
  /** Over the exact bytes of the body. Absent: `admits` is the whole check. */
  isValid?(head: DeliveryHead, rawBody: Uint8Array): boolean;
  /**
   * Begins the check of a body that arrives in parts. Absent: bodies are checked as a whole, and must fit into memory.
   */
  check?(head: DeliveryHead): BodyCheck;
  /** The value of WWW-Authenticate of a refusal; default `Bearer`. */
  readonly authenticate?: string;
  /** The parsed body without a secret that the sender writes into it. */
  withoutSecret?(body: unknown): unknown;
  /** The provider's id of the delivery; null: it sends none. `body` is parsed. */
  deliveryId?(head: DeliveryHead, body: unknown): string | null;
  /** A delivery id that is used again is a replay, and refused. */
  readonly isIdSingleUse?: boolean;
  /** A request that subscribes this address and comes with another method than deliveries. */
  isHandshake?(head: DeliveryHead): boolean;
  /** The answer to a verified request that only asks whether this address is the right one; null: it is a delivery. */
  challenge?(head: DeliveryHead, body: unknown): Response | null;
}
