/** Where in the table of deliveries the claim of an id may be. The row decides, so a released claim may stay in the index. */
export type DeliveryIndex = {
	/** Records that row `sequence` claims an id with this hash until `expiresAt`. */
	readonly add: (claim: {readonly hash: number; readonly sequence: number; readonly expiresAt: number}) => void;
	/** The first row with that hash for which `isIt` is true. */
	readonly find: (hash: number, now: number, isIt: (sequence: number) => boolean) => number | undefined;
};

/** A run of consecutive ids: each slot holds 16 bits of the hash and the row's distance from the first row; 0 is free. */
type Generation = {readonly first: number; readonly slots: Uint32Array; count: number; latestExpiry: number};

const idsPerGeneration = 2 ** 16;
const slotsPerGeneration = idsPerGeneration * 2;
/** 64 MiB for 8 million ids, or 2,300 events a second for an hour; beyond that the oldest are dropped before they expire. */
const mostGenerations = 128;

/** A 32-bit hash that usually separates the ids of a route. It is stored in rows, so the function must not change. */
export function deliveryHash(route: string, deliveryId: string): number {
	const text = `${route}\0${deliveryId}`;
	let hash = 0x81_1c_9d_c5;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
	}

	// The last characters have not reached the upper half yet, which separates ids within one slot.
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
	return hash ^ (hash >>> 13);
}

/** Creates an empty index: 8 bytes per id. A generation is dropped as a whole once all its ids have expired. */
export function createDeliveryIndex(): DeliveryIndex {
	const generations: Generation[] = [];

	const currentFor = (sequence: number): Generation => {
		const current = generations.at(-1);
		const distance = current ? sequence - current.first : -1;
		if (current && current.count < idsPerGeneration && distance >= 0 && distance < idsPerGeneration) {
			return current;
		}

		const opened = {first: sequence, slots: new Uint32Array(slotsPerGeneration), count: 0, latestExpiry: 0};
		generations.push(opened);
		if (generations.length > mostGenerations) {
			generations.shift();
		}

		return opened;
	};

	return {
		add({hash, sequence, expiresAt}) {
			const generation = currentFor(sequence);
			let place = firstPlace(hash);
			while (generation.slots[place] !== 0) {
				place = nextPlace(place);
			}

			generation.slots[place] = (tagOf(hash) | (sequence - generation.first)) >>> 0;
			generation.count++;
			generation.latestExpiry = Math.max(generation.latestExpiry, expiresAt);
		},
		find(hash, now, isIt) {
			while (generations[0] && generations[0].latestExpiry <= now) {
				generations.shift();
			}

			for (let index = generations.length - 1; index >= 0; index--) {
				const found = findIn(generations[index], hash, isIt);
				if (found !== undefined) {
					return found;
				}
			}

			return undefined;
		},
	};
}

function findIn(
	generation: Generation | undefined,
	hash: number,
	isIt: (sequence: number) => boolean,
): number | undefined {
	if (!generation) {
		return undefined;
	}

	const {slots, first} = generation;
	const tag = tagOf(hash);
	for (let place = firstPlace(hash); slots[place]; place = nextPlace(place)) {
		const slot = slots[place] ?? 0;
		const sequence = first + (slot & 0xff_ff);
		if (((slot ^ tag) & 0xff_ff_00_00) === 0 && isIt(sequence)) {
			return sequence;
		}
	}

	return undefined;
}

function firstPlace(hash: number): number {
	return hash & (slotsPerGeneration - 1);
}

function nextPlace(place: number): number {
	return (place + 1) & (slotsPerGeneration - 1);
}

/** The upper bits, never 0, which means a free slot. */
function tagOf(hash: number): number {
	return (hash & 0xff_ff_00_00) | 0x1_00_00;
}
