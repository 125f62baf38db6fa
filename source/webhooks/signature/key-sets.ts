import {type KeyObject} from 'node:crypto';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {createIntervalCount} from '../../util/limits/interval-count.ts';
import {errorText} from '../../util/problem.ts';
import {type KeyFile, type KeyFileForm, readCertificate, readKeySet} from './key-files.ts';

/** Fetches a text of at most 64 KB over https, without redirects, and rejects for anything but a 2xx. */
export type FetchText = (url: string, options: {readonly signal: AbortSignal}) => Promise<string>;

/** The public keys of senders, by the address of their JWKS or of their certificate. */
export type KeySets = {
	/** The key with that id. `missing`: the address has none. `away`: nobody could say. Default form: `jwks`. Never rejects. */
	readonly find: (url: string, id: string, form?: KeyFileForm) => Promise<FoundKey>;
};

/** The result of looking for a key. */
export type FoundKey =
	| {readonly kind: 'key'; readonly key: KeyObject}
	| {readonly kind: 'missing'}
	| {readonly kind: 'away'; readonly reason: string};

/** The keys of one address. They stay while it cannot be reached. */
type KeySet = {
	readonly url: string;
	readonly form: KeyFileForm;
	keys: KeyFile | undefined;
	triedAt: number;
	failure: string | undefined;
	pending: Promise<void> | undefined;
};

/** The largest file with keys that is read. */
export const largestKeySetBytes = 65_536;

const fetchMilliseconds = 5000;
/** An unknown key id fetches the file again, at most this often. */
const retryMilliseconds = 60_000;
/** Keys that the sender has withdrawn are forgotten after this time. */
const refreshMilliseconds = 3_600_000;
/** A sender that is not proven names the address of its certificate: so many unknown ones are fetched in a minute. */
const maxNewCertificates = 10;
const maxCertificates = 50;

type Options = {
	readonly clock: Clock;
	readonly fetchText: FetchText;
	/** Aborts when the adapter stops waiting for open requests. */
	readonly signal: AbortSignal;
};

/** Creates the key sets of an adapter; nothing is fetched before a message asks for it. */
export function createKeySets(options: Options): KeySets {
	const {clock} = options;
	const sets = new Map<string, KeySet>();
	const newCertificates = createIntervalCount(clock, 60_000);

	const refresh = async (set: KeySet): Promise<void> => {
		try {
			set.keys = await fetchKeys(set, options);
			set.failure = undefined;
		} catch (error) {
			set.failure = errorText(error);
		} finally {
			set.pending = undefined;
		}
	};

	const fetchAgain = (set: KeySet): Promise<void> => {
		set.triedAt = clock.now();
		set.pending ??= refresh(set);
		return set.pending;
	};

	/** Undefined while too many certificates are new. */
	const setOf = (url: string, form: KeyFileForm): KeySet | undefined => {
		const key = `${form} ${url}`;
		const known = sets.get(key);
		if (known) {
			return known;
		}

		if (form === 'certificate') {
			if (newCertificates.count() >= maxNewCertificates) {
				return undefined;
			}

			newCertificates.add();
			makeRoom(sets);
		}

		const triedAt = Number.NEGATIVE_INFINITY;
		const set: KeySet = {url, form, keys: undefined, triedAt, failure: undefined, pending: undefined};
		sets.set(key, set);
		return set;
	};

	return {
		async find(url, id, form = 'jwks') {
			const set = setOf(url, form);
			if (!set) {
				return {kind: 'away', reason: `More than ${maxNewCertificates} unknown certificates in a minute`};
			}

			const known = keyOf(set, id, clock.now());
			const age = clock.now() - set.triedAt;
			if (known) {
				if (age >= refreshMilliseconds) {
					void fetchAgain(set);
				}

				return {kind: 'key', key: known};
			}

			await (age >= retryMilliseconds ? fetchAgain(set) : set.pending);
			const key = keyOf(set, id, clock.now());
			if (key) {
				return {kind: 'key', key};
			}

			return set.failure === undefined ? {kind: 'missing'} : {kind: 'away', reason: set.failure};
		},
	};
}

function keyOf({keys}: KeySet, id: string, now: number): KeyObject | undefined {
	const found = keys?.get(id);
	return found && now <= found.endsAt ? found.key : undefined;
}

/** Forgets a certificate that could not be read, else the oldest one. */
function makeRoom(sets: Map<string, KeySet>): void {
	const certificates = [...sets].filter(([, {form}]) => form === 'certificate');
	const [oldest] = certificates.toSorted(
		([, first], [, second]) => Number(first.keys !== undefined) - Number(second.keys !== undefined),
	);
	if (oldest && certificates.length >= maxCertificates) {
		sets.delete(oldest[0]);
	}
}

const names: Readonly<Record<KeyFileForm, string>> = {jwks: 'key set', certificate: 'certificate'};

async function fetchKeys({url, form}: KeySet, {clock, fetchText, signal}: Options): Promise<KeyFile> {
	const reason = () => new Error(`The ${names[form]} did not come within 5 seconds`);
	const deadline = openDeadline(clock, fetchMilliseconds, {signal, reason});
	try {
		const text = await untilAborted(fetchText(url, {signal: deadline.signal}), deadline.signal);
		if (Buffer.byteLength(text) > largestKeySetBytes) {
			throw new Error(`The ${names[form]} is larger than 64 KB`);
		}

		return form === 'jwks' ? readKeySet(text) : readCertificate(text, clock.now());
	} finally {
		deadline.cancel();
	}
}
