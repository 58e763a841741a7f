import { Calls } from './calls.js';
import { Runs } from './runs.js';
import { Transport, type ClientOptions, type Tokens } from './transport.js';
import type { CallOptions, Schemas } from './types.js';
import { Workflows } from './workflows.js';

export interface SignIn extends Omit<ClientOptions, 'apiKey' | 'tokens'> {
  email: string;
  password: string;
  /** Of an authenticator app, or a backup code. */
  mfaCode?: string | undefined;
}

/** A client of one Weft service. */
export class Weft extends Calls {
  readonly workflows: Workflows;
  readonly runs: Runs;
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    super(transport);
    this.#transport = transport;
    this.workflows = new Workflows(this);
    this.runs = new Runs(this, this.#transport);
  }

  /**
   * Signs in with a password. A `WeftError` `UNAUTHORIZED` whose `details[0].field` is `mfaCode` asks for a code of the second factor.
   */
  static async signIn({ email, password, mfaCode, ...options }: SignIn): Promise<Weft> {
    const body = { email, password, ...(mfaCode === undefined ? {} : { mfaCode }) };
    const { accessToken, refreshToken } = await new Weft(options).post('/api/auth/login', { body });
    return new Weft({ ...options, tokens: { accessToken, refreshToken } });
  }

  /** The tokens of a sign-in, renewed ones included. */
  get tokens(): Tokens | undefined {
    return this.#transport.tokens;
  }

  /** The person, and their workspaces. */
  me(options: CallOptions = {}): Promise<Schemas['Me']> {
    return this.get('/api/auth/me', options);
  }
}
