/** What a call's headers are asked for, whichever door it came through: web-standard ones, or Node's. */
export type CallHeaders = Pick<Headers, 'get' | 'has'>;
