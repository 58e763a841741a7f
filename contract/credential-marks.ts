import { text } from './text';

/** Marks a secret field: encrypted at rest and never returned. */
export const secret = (title: string) => text(1, 20_000).meta({ title, 'x-secret': true });

/**
 * Marks a field that decides where secrets are sent: if it changes, stored secrets must be entered again. `address`:
 * any change. `hosts`: a list of allowed hosts, which may be narrowed.
 */
export const destination = (kind: DestinationKind) => ({ 'x-destination': kind });

export type DestinationKind = 'address' | 'hosts';
/** Fields that decide where secrets are sent, by name. */
export type Destinations = Record<string, DestinationKind>;
