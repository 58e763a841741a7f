/**
 * Limits the unauthenticated connections of this process. At the limit, the network with the most connections loses its
 * oldest one, so that a flood from one network does not exclude other networks.
 */
export class UnauthenticatedConnections {
  readonly #networks = new Map<string, Set<() => void>>();
  #count = 0;

  constructor(private readonly maximum: number) {}

  /**
   * `evict` closes the connection. Returns the function to call when it is authenticated or closed; null: limit
   * reached.
   */
  enter(network: string, evict: () => void): (() => void) | null {
    if (this.#count >= this.maximum && !this.#evictOldest(network)) return null;
    const connections = this.#networks.get(network) ?? new Set();
    this.#networks.set(network, connections.add(evict));
    this.#count += 1;
    return () => this.#remove(network, evict);
  }

  #evictOldest(network: string): boolean {
    const sizeOf = (name: string) => this.#networks.get(name)?.size ?? 0;
    let largest = network;
    for (const name of this.#networks.keys()) if (sizeOf(name) > sizeOf(largest)) largest = name;
    if (largest === network) return false;
    const [oldest] = this.#networks.get(largest) ?? [];
    if (!oldest) return false;
    this.#remove(largest, oldest);
    oldest();
    return true;
  }

  #remove(network: string, evict: () => void): void {
    const connections = this.#networks.get(network);
    if (!connections?.delete(evict)) return;
    this.#count -= 1;
    if (connections.size === 0) this.#networks.delete(network);
  }
}
