// Apart from the other settings: the supervisor reads it, and loads none of them.

/** Whether every line of output is to be JSON. Also known while other variables are wrong. */
export const isJsonLogFormat = (): boolean => process.env.LOG_FORMAT === 'json';
