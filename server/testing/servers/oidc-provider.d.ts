/** The parts of oidc-provider, which comes without types, that tests use. */
declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface Interaction {
    params: { client_id: string; scope?: string; login_hint?: string };
    prompt: { name: string };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export default class Provider extends EventEmitter {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: { find(token: string): Promise<{ accountId: string; scope?: string } | undefined> };
    readonly Grant: new (values: { accountId: string; clientId: string }) => Grant;
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
