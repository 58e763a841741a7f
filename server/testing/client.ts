/** This service as the app that it is registered as at the providers of tests. */
export const CLIENT = { clientId: 'weft-client', clientSecret: 'canary-client-secret-0123456789' };
