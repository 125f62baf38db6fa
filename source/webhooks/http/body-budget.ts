/** Limits of the bodies whose sender is not proven yet (docs/webhooks.md, Limits). */
export type BodyLimits = {
	/** Bodies at once, per route. */
	readonly bodiesPerRoute: number;
	/** Bytes of all routes together. */
	readonly totalBytes: number;
	/** A body beyond this size is large; a route has one large body at a time. */
	readonly largeFromBytes: number;
	/** Bytes beyond that size, of all large bodies together. */
	readonly largeBytes: number;
	/** An upload without data for this long is idle: it may be ended to make room. */
	readonly idleMilliseconds: number;
};

/** The limit that is reached: bodies of a route, bytes of all routes, bytes of large bodies, or the large body of a route. */
export type BodyLimit = 'bodies' | 'total' | 'large' | 'large-of-route';

/** The limit that was reached, safe to show. */
export function bodyLimitText(limit: BodyLimit, limits: BodyLimits): string {
	switch (limit) {
		case 'bodies':
			return `${limits.bodiesPerRoute} bodies were being read`;
		case 'total':
			return `unproven bodies held ${megabytes(limits.totalBytes)}`;
		case 'large':
			return `large unproven bodies held ${megabytes(limits.largeBytes)}`;
		case 'large-of-route':
			return 'another large body of the route was being read';
	}
}

function megabytes(bytes: number): string {
	return `${Math.round(bytes / 1_048_576)} MB`;
}

/** `read`: its bytes are held; `discarded`: they are thrown away, so that its sender sees the answer. */
type BodyUse = 'read' | 'discarded';

/** A body that gives way to another one, and the limit that was reached. */
type EndedBody = {readonly id: number; readonly limit: BodyLimit};

/** Bookkeeping of bodies: how many there are, how many bytes they hold, and which one gives way. It has no effect beyond itself. */
export type BodyBudget = {
	/**
	Adds a body. In a full route the oldest discarded one gives way, else, for one that is read, the one without data for longest. `id` is undefined when none
	gives way.
	*/
	readonly enter: (
		route: string,
		use: BodyUse,
		now: number,
	) => {readonly id: number | undefined; readonly ended: readonly EndedBody[]};
	/** Counts data of a body. Where that reaches a limit, idle uploads give way, the longest idle first; without any, the body itself is refused and removed. */
	readonly arrive: (
		id: number,
		bytes: number,
		now: number,
	) => {readonly ended: readonly EndedBody[]; readonly refused?: BodyLimit};
	/** Removes a body. Without effect for one that was removed. */
	readonly leave: (id: number) => void;
	/** Bytes that are held, of all routes. */
	readonly heldBytes: () => number;
};

type HeldBody = {readonly route: string; readonly use: BodyUse; bytes: number; activeAt: number};

/** Creates the bookkeeping of no bodies. */
export function createBodyBudget(limits: BodyLimits): BodyBudget {
	/** The one without data for longest first. */
	const bodies = new Map<number, HeldBody>();
	let lastId = 0;
	let heldBytes = 0;
	let largeBytes = 0;
	const largePart = (bytes: number) => Math.max(0, bytes - limits.largeFromBytes);
	const grow = (body: HeldBody, bytes: number) => {
		heldBytes += bytes;
		largeBytes += largePart(body.bytes + bytes) - largePart(body.bytes);
		body.bytes += bytes;
	};

	const leave = (id: number) => {
		const body = bodies.get(id);
		if (body) {
			bodies.delete(id);
			grow(body, -body.bytes);
		}
	};

	const find = (isWanted: (body: HeldBody) => boolean): number | undefined => {
		for (const [id, body] of bodies) {
			if (isWanted(body)) {
				return id;
			}
		}

		return undefined;
	};

	const countOf = (route: string) => {
		let count = 0;
		for (const body of bodies.values()) {
			count += body.route === route ? 1 : 0;
		}

		return count;
	};

	const isRival = (body: HeldBody, other: HeldBody) =>
		other !== body && other.route === body.route && largePart(other.bytes) > 0;

	/** The limit that a body which has just grown exceeds. */
	const limitOf = (body: HeldBody): BodyLimit | undefined => {
		if (largePart(body.bytes) > 0 && find(other => isRival(body, other)) !== undefined) {
			return 'large-of-route';
		}

		return largeBytes > limits.largeBytes ? 'large' : heldBytes > limits.totalBytes ? 'total' : undefined;
	};

	const findIdle = (body: HeldBody, limit: BodyLimit, now: number) =>
		find(other => {
			const holdsSome = limit === 'total' ? other.bytes > 0 : largePart(other.bytes) > 0;
			const isIdle = now - other.activeAt >= limits.idleMilliseconds;
			return isIdle && holdsSome && other !== body && (limit !== 'large-of-route' || isRival(body, other));
		});

	return {
		enter(route, use, now) {
			const isFull = countOf(route) >= limits.bodiesPerRoute;
			const isOf = (wanted: BodyUse) => (body: HeldBody) => body.route === route && body.use === wanted;
			const first = isFull ? (find(isOf('discarded')) ?? (use === 'read' ? find(isOf('read')) : undefined)) : undefined;
			if (isFull && first === undefined) {
				return {id: undefined, ended: []};
			}

			if (first !== undefined) {
				leave(first);
			}

			lastId++;
			bodies.set(lastId, {route, use, bytes: 0, activeAt: now});
			return {id: lastId, ended: first === undefined ? [] : [{id: first, limit: 'bodies'}]};
		},
		arrive(id, bytes, now) {
			const body = bodies.get(id);
			if (!body) {
				return {ended: []};
			}

			bodies.delete(id);
			bodies.set(id, body);
			body.activeAt = now;
			grow(body, bytes);
			const ended: EndedBody[] = [];
			for (let limit = limitOf(body); limit !== undefined; limit = limitOf(body)) {
				const idle = findIdle(body, limit, now);
				if (idle === undefined) {
					leave(id);
					return {ended, refused: limit};
				}

				leave(idle);
				ended.push({id: idle, limit});
			}

			return {ended};
		},
		leave,
		heldBytes: () => heldBytes,
	};
}
