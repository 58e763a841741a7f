import { NodeFailure } from './node-failure';

/**
 * A failure of the service's own database, on its way through code that would take it for one of another server, or of
 * what it was asked. It is a NodeFailure, because all such code lets those pass. Nobody reads it: what has failed is
 * repeated.
 */
export class DatabaseFailure extends NodeFailure {
  constructor(readonly failure: unknown) {
    super('DATABASE', 'The database of the service is not available.');
  }
}
