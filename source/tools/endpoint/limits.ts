/** Limits of the endpoint. They are not configurable: its clients are one person's own agents. */
export const endpointLimits = {
	/** The maximum message size in bytes. */
	bodyBytes: 4 * 1024 * 1024,
	/** Entries in one answer to a list; 3,000 tools together are 1 MB. */
	entriesOnPage: 200,
	/** The time that a server has to list its resources or prompts; without an answer its part is left out. A wait for a person does not count. */
	listMilliseconds: 10_000,
	/** Resources of whose changes one client is notified. */
	watchedResources: 256,
	/** Sessions of clients of the legacy era, per profile. */
	sessions: 64,
	/** Streams on which clients of the stateless era wait for changes, per profile. */
	subscriptions: 64,
	connections: 256,
	headerBytes: 16_384,
	headersMilliseconds: 10_000,
	/** Until the request is complete; its response may take as long as a person takes. */
	requestMilliseconds: 30_000,
	/** The time in which a call is answered with a single JSON body; then the response becomes a stream. */
	answerMilliseconds: 10_000,
	/** The time that a call waits for a person before it becomes a task. */
	taskMilliseconds: 20_000,
	/** The pause that the clients of a task are asked to make between two requests for it. */
	taskPollMilliseconds: 5000,
	/** The pause between two signs of life on the stream of a call. */
	keepStreamMilliseconds: 15_000,
	/** Calls of a client of the stateless era that wait while it asks its person. */
	pausedCalls: 64,
	/** The time that the result of such a call is kept once its questions are over. */
	keepResultMilliseconds: 600_000,
	/** The time that an idle connection stays open. */
	keepAliveMilliseconds: 5000,
} as const;
