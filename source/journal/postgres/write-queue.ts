import {Problem} from '../../util/problem.ts';
import {type StorageReply, type StorageRequest} from '../operations/operations.ts';
import {LostRace} from './accept-events.ts';
import {databaseFault} from './connection.ts';

/** Carries out writes in one transaction; resolves with their results once all are on disk. */
export type RunTransaction = (requests: readonly StorageRequest[]) => Promise<readonly unknown[]>;

type WaitingWrite = {
	readonly request: StorageRequest;
	readonly resolve: (reply: StorageReply) => void;
	readonly reject: (caught: unknown) => void;
};

/** A transaction of more would let the first of them wait for long. */
const maxRequests = 1000;

/** Writes in their order, but claims of calls last: those that come while a transaction is under way share the next one. */
export function createWriteQueue(
	runTransaction: RunTransaction,
	{toReply, lose}: {readonly toReply: (caught: unknown) => StorageReply; readonly lose: (caught: unknown) => void},
) {
	let waiting: WaitingWrite[] = [];
	const between: Array<() => Promise<unknown>> = [];
	let running: Promise<void> | undefined;
	let latest: Promise<void> = Promise.resolve();
	const isLost = (caught: unknown) => databaseFault(caught) === 'lost' && !(caught instanceof LostRace);
	const end = (caught: unknown, group: readonly WaitingWrite[]) => {
		const lost = [...group, ...waiting];
		waiting = [];
		lose(caught);
		lost.forEach(({reject}) => reject(new Problem('storage_unavailable', {detail: 'the connection ended'})));
	};

	const settle = async (group: readonly WaitingWrite[]) => {
		try {
			const results = await runTransaction(group.map(({request}) => request));
			group.forEach(({resolve}, index) => resolve({kind: 'value', value: results[index]}));
		} catch (caught) {
			if (isLost(caught)) {
				end(caught, group);
			} else {
				group.forEach(({resolve}) => resolve(toReply(caught)));
			}
		}
	};

	const carryOutBetween = async () => {
		for (const carryOut of between.splice(0)) {
			await carryOut().catch((caught: unknown) => isLost(caught) && end(caught, []));
		}
	};

	const work = async () => {
		// The rest of the batch comes in the same turn.
		await Promise.resolve();
		while (waiting.length > 0 || between.length > 0) {
			await carryOutBetween();
			const group = waiting.slice(0, maxRequests);
			waiting = waiting.slice(maxRequests);
			await (group.length > 0 && settle(claimsLast(group)));
		}

		running = undefined;
	};

	return {
		add(request: StorageRequest): Promise<StorageReply> {
			const added = new Promise<StorageReply>((resolve, reject) => {
				waiting.push({request, resolve, reject});
				running ??= work();
			});
			latest = added.then(
				() => undefined,
				() => undefined,
			);
			return added;
		},
		/** Carries out what is no write, before the next transaction. It deals with errors of the server by itself. */
		between(carryOut: () => Promise<unknown>) {
			between.push(carryOut);
			running ??= work();
		},
		/** Resolves once what was added before is settled, whatever was added since. */
		settled: () => latest,
	};
}

/**
Documents that decide about a call are read when it is claimed, and others may change them only once the claim is on disk: no other write of the transaction
comes in between.
*/
function claimsLast(group: readonly WaitingWrite[]): readonly WaitingWrite[] {
	const isClaim = ({request}: WaitingWrite) => request.name === 'claimCall';
	return [...group.filter(write => !isClaim(write)), ...group.filter(isClaim)];
}
