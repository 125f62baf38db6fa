import {type FailedDelivery, type FailedDeliveryChange, type Journal} from '../../journal/journal.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {type FailedDeliveryRow} from '../../state/snapshot.ts';
import {safeText} from '../../util/safe-text.ts';

/** More places than a gateway delivers from and to. */
export const maxShown = 500;

/**
The targets whose deliveries fail now, each with its profile (docs/delivery.md, Failed deliveries). `first` is the profile that the gateway was
started for.
*/
export async function listFailedDeliveries(
	journal: Pick<Journal, 'listFailedDeliveries'>,
	first: string,
): Promise<readonly FailedDelivery[]> {
	const failed = await journal.listFailedDeliveries({limit: maxShown});
	return failed.map(delivery => ({...delivery, profile: delivery.profile || first}));
}

/** Creates the function that publishes a change of the failed deliveries. */
export function publishFailedDelivery(
	eventBus: Pick<EventBus, 'publishFor'>,
	first: string,
): (change: FailedDeliveryChange) => void {
	return change => eventBus.publishFor(change.delivery.profile || first)(changeEvent(change));
}

/**
Failing targets changed by other gateways, each with its profile: the difference between the journal when it was read and the rows shown then. Changes
made here since are newer, and are kept.
*/
export function changedElsewhere(
	found: readonly FailedDelivery[],
	{asked, shown}: {readonly asked: readonly FailedDeliveryRow[]; readonly shown: readonly FailedDeliveryRow[]},
	first: string,
): ReadonlyArray<readonly [profile: string, event: GatewayEventBody]> {
	const before = new Map(asked.map(row => [row.id, row]));
	const now = new Map(shown.map(row => [row.id, row]));
	const isUntouched = (id: string) => before.get(id) === now.get(id);
	// The oldest are read: of more than that nobody knows which later ones are gone, and new ones would push shown ones out in turn.
	const isFull = found.length >= maxShown;
	const readUntil = isFull ? (found.at(-1)?.firstAt ?? 0) : Infinity;
	const failing = found.filter(({id, failures, lastAt}) => {
		const row = before.get(id);
		return isUntouched(id) && (row ? row.failures !== failures || row.lastAt !== lastAt : !isFull);
	});
	const ids = new Set(found.map(({id}) => id));
	const cleared = asked.filter(({id, firstAt}) => !ids.has(id) && isUntouched(id) && firstAt < readUntil);
	return [
		...failing.map(delivery => [delivery.profile || first, changeEvent({kind: 'failing', delivery})] as const),
		...cleared.map(({profile, id, route, job, target}) => {
			const place = {id, route, ...(job !== undefined && {job}), target};
			return [profile, {type: 'delivery.cleared', ...place, by: 'another-node'}] as const;
		}),
	];
}

function changeEvent(change: FailedDeliveryChange): GatewayEventBody {
	const {id, failures, firstAt, lastAt, reason, eventId, ...names} = change.delivery;
	const place = {
		id,
		// As the routes and platforms themselves are named.
		route: safeText(names.route, {maximumCharacters: 300}),
		...(names.job !== '' && {job: safeText(names.job, {maximumCharacters: 200})}),
		target: safeText(names.target, {maximumCharacters: 300}),
	};
	return change.kind === 'failing'
		? {type: 'delivery.failing', ...place, failures, firstAt, lastAt, reason: safeText(reason), eventId}
		: {type: 'delivery.cleared', ...place, by: change.by};
}
