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

const mebibyte = 1_048_576;

/** The limits of bytes without another one given. */
export const unverifiedBytes: Omit<BodyLimits, 'bodiesPerRoute'> = {
	totalBytes: 64 * mebibyte,
	largeFromBytes: mebibyte,
	largeBytes: 40 * mebibyte,
	idleMilliseconds: 1000,
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
	return `${Math.round(bytes / mebibyte)} MB`;
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

type HeldBody = {readonly route: string; readonly use: BodyUse; readonly activeAt: number; readonly bytes: number};

/** Creates the bookkeeping of no bodies. */
export function createBodyBudget(limits: BodyLimits): BodyBudget {
	const held = createHeldBodies(limits.largeFromBytes);
	const find = (isWanted: (body: HeldBody, id: number) => boolean) => held.find(isWanted);
	const isLarge = (body: HeldBody) => held.isLarge(body);
	const isRival = (id: number, body: HeldBody) => (other: HeldBody, otherId: number) =>
		otherId !== id && other.route === body.route && isLarge(other);

	/** The limit that a body which has just grown exceeds. */
	const limitOf = (id: number, body: HeldBody): BodyLimit | undefined => {
		if (isLarge(body) && find(isRival(id, body)) !== undefined) {
			return 'large-of-route';
		}

		const {bytes, largeBytes} = held.sums();
		return largeBytes > limits.largeBytes ? 'large' : bytes > limits.totalBytes ? 'total' : undefined;
	};

	const findIdle = (id: number, body: HeldBody, limit: BodyLimit) =>
		find((other, otherId) => {
			const holdsSome = limit === 'total' ? other.bytes > 0 : isLarge(other);
			const isIdle = body.activeAt - other.activeAt >= limits.idleMilliseconds;
			return isIdle && holdsSome && otherId !== id && (limit !== 'large-of-route' || isRival(id, body)(other, otherId));
		});

	return {
		enter(route, use, now) {
			const isOf = (wanted: BodyUse) => (body: HeldBody) => body.route === route && body.use === wanted;
			const isFull = held.countOf(route) >= limits.bodiesPerRoute;
			const first = isFull ? (find(isOf('discarded')) ?? (use === 'read' ? find(isOf('read')) : undefined)) : undefined;
			if (isFull && first === undefined) {
				return {id: undefined, ended: []};
			}

			if (first !== undefined) {
				held.remove(first);
			}

			const id = held.add({route, use, bytes: 0, activeAt: now});
			return {id, ended: first === undefined ? [] : [{id: first, limit: 'bodies'}]};
		},
		arrive(id, bytes, now) {
			const body = held.grow(id, bytes, now);
			if (!body) {
				return {ended: []};
			}

			const ended: EndedBody[] = [];
			for (let limit = limitOf(id, body); limit !== undefined; limit = limitOf(id, body)) {
				const idle = findIdle(id, body, limit);
				held.remove(idle ?? id);
				if (idle === undefined) {
					return {ended, refused: limit};
				}

				ended.push({id: idle, limit});
			}

			return {ended};
		},
		leave: held.remove,
		heldBytes: () => held.sums().bytes,
	};
}

/** Bodies and the sums of their bytes. The one without data for longest comes first. */
function createHeldBodies(largeFromBytes: number) {
	const bodies = new Map<number, HeldBody>();
	const sums = {bytes: 0, largeBytes: 0};
	let lastId = 0;
	const largePart = ({bytes}: HeldBody) => Math.max(0, bytes - largeFromBytes);
	const put = (id: number, body: HeldBody) => {
		bodies.set(id, body);
		sums.bytes += body.bytes;
		sums.largeBytes += largePart(body);
	};

	const remove = (id: number): HeldBody | undefined => {
		const body = bodies.get(id);
		if (body) {
			bodies.delete(id);
			sums.bytes -= body.bytes;
			sums.largeBytes -= largePart(body);
		}

		return body;
	};

	return {
		sums: (): Readonly<typeof sums> => sums,
		isLarge: (body: HeldBody) => largePart(body) > 0,
		remove,
		add(body: HeldBody): number {
			lastId++;
			put(lastId, body);
			return lastId;
		},
		/** The body with more bytes; undefined for one that was removed. */
		grow(id: number, bytes: number, now: number): HeldBody | undefined {
			const body = remove(id);
			const grown = body && {...body, bytes: body.bytes + bytes, activeAt: now};
			if (grown) {
				put(id, grown);
			}

			return grown;
		},
		countOf(route: string): number {
			let count = 0;
			for (const body of bodies.values()) {
				count += body.route === route ? 1 : 0;
			}

			return count;
		},
		/** The id of the first body that is wanted. */
		find(isWanted: (body: HeldBody, id: number) => boolean): number | undefined {
			for (const [id, body] of bodies) {
				if (isWanted(body, id)) {
					return id;
				}
			}

			return undefined;
		},
	};
}
