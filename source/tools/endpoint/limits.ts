/** Bounds of the endpoint. They are not configurable: who talks to it is one person's own agents. */
export const endpointLimits = {
	/** The longest message, in bytes. */
	bodyBytes: 4 * 1024 * 1024,
	/** Sessions of clients of the older era, per profile. */
	sessions: 64,
	/** Streams on which clients of the newer era wait for changes, per profile. */
	subscriptions: 64,
	connections: 256,
	headerBytes: 16_384,
	headersMilliseconds: 10_000,
	/** Until the whole request is there; its answer may take as long as a person takes. */
	requestMilliseconds: 30_000,
	/** How long a connection stays without a request. */
	keepAliveMilliseconds: 5000,
} as const;
