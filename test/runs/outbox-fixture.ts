import {join} from 'node:path';
import {type Delivery, type DeliveryResult} from '../../source/delivery/deliver.ts';
import {createOutbox, type Outbox} from '../../source/runs/outbox.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

export const answer: Delivery = {
	target: 'telegram',
	text: 'All good',
	extra: {chat_id: '7'},
	deliveryId: 'delivery-1',
	route: 'github',
	eventId: 'event-1',
	runId: 'run-1',
};
export const done: DeliveryResult = {kind: 'delivered', target: 'telegram'};
export const failed: DeliveryResult = {
	kind: 'failed',
	problem: new Problem('delivery_failed', {detail: 'status 403: the secret-token is wrong'}),
};
export const uncertain: DeliveryResult = {
	kind: 'uncertain',
	problem: new Problem('outcome_uncertain', {detail: 'lost'}),
};

/** An outbox over a real journal; what is delivered comes to the results in turn. */
export function openOutbox(options: {readonly path?: string; readonly results?: readonly DeliveryResult[]} = {}) {
	const path = options.path ?? join(temporaryDirectory(), 'journal.db');
	const clock = createFakeClock();
	const journal = openTestJournal({clock, path});
	const {publish, ofType} = recordEvents();
	const toldTo: Array<string | undefined> = [];
	const sent: Delivery[] = [];
	const results = [...(options.results ?? [])];
	let whileSending: () => unknown = () => undefined;
	const outbox = createOutbox({
		journal,
		clock,
		publishOf(profile) {
			toldTo.push(profile);
			return publish;
		},
		redact: text => text.replaceAll('secret-token', '‹redacted›'),
		async deliver(delivery) {
			sent.push(delivery);
			await whileSending();
			return results.shift() ?? done;
		},
	});
	const rows = async () => (await journal.listMessages({limit: 100})).map(({state, detail}) => ({state, detail}));
	return {
		outbox,
		journal,
		path,
		sent,
		rows,
		ofType,
		toldTo,
		onSending: (act: () => unknown) => {
			whileSending = act;
		},
	};
}

/** Delivers to one destination. */
export async function deliverOne(
	outbox: Pick<Outbox, 'deliver'>,
	delivery: Delivery,
	options: Parameters<Outbox['deliver']>[1],
): Promise<DeliveryResult | undefined> {
	return (await outbox.deliver([delivery], options))[0];
}

/** Takes up what is left and says how each answer ended. */
export async function resume({outbox}: ReturnType<typeof openOutbox>) {
	const ends: string[] = [];
	await outbox.resume(await outbox.leftBehind(), async ({runId}, {kind}) => void ends.push(`${runId} ${kind}`));
	return ends;
}
