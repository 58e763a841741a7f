/** The system's command folders. Child processes get this path and nothing else of our environment. */
export const commandSearchPath = (): string => process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin';
