import {createCallPages} from '../../../source/gateway/pages/call-page.ts';
import {olderEvents} from '../../../source/gateway/pages/older-events.ts';
import {traceOf} from '../../../source/gateway/pages/trace.ts';
import {type Journal} from '../../../source/journal/journal.ts';
import {type ApprovalRequest} from '../../../source/state/approval-event.ts';
import {type MethodName, type ParamsOf} from '../../../source/state/api.ts';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {type Trace, type TraceSubject} from '../../../source/state/trace.ts';
import {createRedactor} from '../../../source/util/redact.ts';
import {createFakeClock, type FakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal, sampleEvent, sampleRun, takeRun} from '../../helpers/journal-records.ts';

export const began = 1_700_000_000_000;
const origin = {kind: 'run', runId: 'r1', route: 'pulls', deliveryId: 'd1'} as const;
export const about = {profile: 'default', server: 'hostile', tool: 'post', origin} as const;

/** An event, its run, a call that a person allowed after 4.6 s, and a message that was not delivered. */
export async function openHistory(clock: FakeClock = createFakeClock(began)) {
	const journal = openTestJournal({clock});
	const run = sampleRun({id: 'r1', eventId: 'e1', route: 'pulls', event: 'pull_request', createdAt: began + 2});
	const signature = 'X-Hub-Signature-256';
	const event = sampleEvent({
		id: 'e1',
		time: began,
		route: 'pulls',
		event: 'pull_request',
		deliveryId: '6be08384',
		ms: 2,
	});
	void journal.acceptEvent({event: {...event, trace: {signature}}, run});
	await clock.settle();
	void takeRun(journal);
	await clock.advance(400);
	const call = {...about, id: 'c1', time: began + 5000, arguments: {channel: '#ops', token: 'hush'}};
	void journal.startCall({...call, judged: {fingerprint: 'f', decision: 'asked', untrusted: ['channel']}});
	const decision = {id: 'a1', callId: 'c1', requestedAt: began + 400, time: began + 5000} as const;
	journal.recordDecision({
		...about,
		...decision,
		argumentsHash: 'h',
		outcome: 'approved',
		scope: 'once',
		by: 'console:1',
	});
	journal.finishCall('c1', {outcome: 'ok', ms: 5, result: {text: 'posted'}});
	await clock.advance(4700);
	const message = {
		id: 'm1',
		eventId: 'e1',
		runId: 'r1',
		target: 'slack',
		text: 'All is well',
		extra: {},
		deliveryId: 'd1',
	};
	void journal.persistMessages([{...message, route: 'pulls'}], 'failed', 'status 403: not_in_channel');
	const usage = {inputTokens: 321, outputTokens: 22};
	const result = {model: 'openai-compatible/scripted', usage, answer: 'All is well', startedAt: began + 11};
	void journal.finishRun('r1', {state: 'failed', reason: 'status 403: not_in_channel', result});
	await clock.settle();
	return {clock, journal};
}

/** The trace as a gateway answers it. */
export async function traceFrom(
	{clock, journal}: {readonly clock: FakeClock; readonly journal: Pick<Journal, 'findTrace'>},
	subject: TraceSubject,
	{part, pending = []}: {readonly part?: number | undefined; readonly pending?: readonly ApprovalRequest[]} = {},
): Promise<Trace> {
	const reading = journal.findTrace({subject, profile: 'default', ...(part !== undefined && {part})});
	await clock.settle();
	return traceOf(subject, await reading, {now: clock.now(), pending, flags: [], redactor: createRedactor()});
}

/** The view that a gateway gives to a call of a dashboard. */
export async function answerFrom(
	{clock, journal}: {readonly clock: FakeClock; readonly journal: Journal},
	{method, params}: {readonly method: MethodName; readonly params: object},
): Promise<GatewayEventBody> {
	if (method === 'traces.view') {
		const {subject, part} = params as ParamsOf<'traces.view'>;
		return {type: 'view.trace', ...(await traceFrom({clock, journal}, subject, {part}))};
	}

	if (method === 'events.older') {
		const {before} = params as ParamsOf<'events.older'>;
		const sources = {journal, profiles: ['default'], first: 'default', now: clock.now()};
		const reading = olderEvents(before, sources);
		await clock.settle();
		return {type: 'view.older-events', ...(await reading)};
	}

	if (method !== 'deliveries.view') {
		throw new Error(`No view for ${method}`);
	}

	const {id} = params as ParamsOf<'deliveries.view'>;
	const showing = createCallPages({journal, redactor: createRedactor()}).showDelivery(id);
	await clock.settle();
	return showing;
}

/** The end of the delivery in that history, as it is published. */
export const failedDelivery = {
	type: 'delivery.settled',
	delivery: 'd1',
	messageId: 'm1',
	job: 'nightly',
	target: 'slack',
	outcome: 'failed',
} as const;
