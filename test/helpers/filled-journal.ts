import {type CallRecord, type Journal} from '../../source/journal/journal.ts';
import {sampleEvent, sampleRun} from './journal-records.ts';
import {sampleRemoteMessage} from './remote-messages.ts';

/** When the first of its rows was written, in milliseconds since the epoch. */
export const filledFrom = 1_700_000_000_000;
/** The day of its spending. */
const filledDate = 20231114;
/** Ids and names that a language would sort, or compare, in another way than their bytes. */
export const filledNames = ['b', 'B', 'a', 'A', 'ä', 'é', 'e\u0301', '_', '-', '😀', 'aa', 'a-b', 'Zz', '10', '9'];
const subjects = ['event', 'run', 'call', 'decision', 'delivery', 'job'] as const;

/** Per name an event with its run, five calls, decisions about some of them, and messages that arrive, fail or wait. */
export async function fillJournal(journal: Journal): Promise<void> {
	for (const [index, name] of filledNames.entries()) {
		const [eventId, runId, time] = [`event ${name}`, `run ${name}`, filledFrom + index * 700];
		const route = index % 2 === 0 ? 'pulls' : 'Pulls';
		const run = sampleRun({id: runId, eventId, route, job: name, prompt: name.repeat(400), createdAt: time});
		const files = [
			{name: `../${name}`, contentType: name, content: Buffer.from(name.repeat(2000))},
			{name: '', contentType: '', content: new Uint8Array()},
		];
		await journal.acceptEvent({event: sampleEvent({id: eventId, time, route, profile: route, files}), run});
		journal.recordEvent(sampleEvent({id: `refused ${name}`, time, route, outcome: 'rejected', body: undefined}));
		await fillCalls(journal, {name, runId, time, index});
		const message = {eventId, runId, target: name, text: name.repeat(400), extra: {}, deliveryId: 'd', route};
		await journal.persistMessages([{...message, id: `m ${name}`}], 'sending');
		await journal.persistMessages([{...message, id: `n ${name}`, eventId: '', runId: `run ${name}`}], 'pending');
		await journal.finishMessage(`m ${name}`, index % 3 === 0 ? 'failed' : 'sent', index % 3 === 0 ? name : undefined);
		await journal.moveQueuedRuns([runId], {state: 'running'});
		await fillProgress(journal, {name, runId, time});
		await journal.finishRun(runId, {state: 'finished', result: {answer: name.repeat(400)}, conversation: name});
		const amounts = {inputTokens: index, outputTokens: 2, microUsd: 3, runs: 1, calls: 0};
		await journal.reserveSpending({date: filledDate, parts: [{scope: 'route', name, bounds: {}}], amounts});
	}

	const path = 'limits.day.tokens';
	await journal.createTask({
		id: 'a'.repeat(32),
		profile: 'a',
		client: {kind: 'token', name: 'laptop'},
		call: {name: 'mcp__pulls__t', server: 'pulls', arguments: {text: 'x'}, program: 'codex', subject: 'hash'},
		approval: {id: 'approval', requestedAt: 1},
		left: {milliseconds: 3_600_000, time: 'running'},
	});
	await journal.claimRemoteChannel('telegram:a');
	await journal.writeRemoteMessage(sampleRemoteMessage());
	await journal.markLimit({date: filledDate, path, bound: 1, state: 'open', origin: {kind: 'command-line'}});
}

async function fillProgress(
	journal: Journal,
	{name, runId, time}: {name: string; runId: string; time: number},
): Promise<void> {
	const turn = {number: 1, at: time, model: name};
	const usage = {inputTokens: 5_000_000_000, outputTokens: 2};
	await journal.putModelTurn(runId, {...turn, end: {ms: 3, usage, microUsd: 4}});
	await journal.putModelTurn(runId, turn);
	await journal.putModelTurn(runId, {...turn, number: 2});
	await journal.addRunNote(runId, {id: `note ${name}`, at: time, by: 'cli', text: name});
	await journal.addRunNote(runId, {id: `unread ${name}`, at: time, by: 'console:1', text: name});
	await journal.markNotesRead([`note ${name}`], {at: time + 1, turn: 2});
}

async function fillCalls(
	journal: Journal,
	{name, runId, time, index}: {name: string; runId: string; time: number; index: number},
): Promise<void> {
	const rule = {id: name, action: 'allow', source: 'stored'} as const;
	const origin = {kind: 'run', runId, route: 'pulls', deliveryId: 'd'} as const;
	const about = {profile: index % 2 === 0 ? 'a' : 'A', server: name, tool: 't', origin};
	const callOf = (number: number): CallRecord => ({
		...about,
		id: `call ${name} ${number}`,
		time: time + number,
		arguments: {text: name.repeat(number === 4 ? 12_000 : 2)},
		...(number === 3 && {readOnly: true}),
		judged: {fingerprint: 'f', decision: 'allowed', rule},
	});
	for (const number of [0, 1, 2, 3, 4]) {
		await journal.startCall(callOf(number));
	}

	journal.finishCall(`call ${name} 0`, {outcome: 'ok', ms: 1.25, result: {text: name}});
	journal.finishCall(`call ${name} 1`, {outcome: 'outcome_uncertain', code: 'outcome_uncertain', ms: 3});
	const asker = index % 3 === 0 ? ({kind: 'endpoint', client: name, claim: name} as const) : origin;
	const outcome = index % 4 === 0 ? 'denied' : 'approved';
	const decision = {...about, time, argumentsHash: 'h', outcome, requestedAt: time - 5, origin: asker} as const;
	journal.recordDecision({...decision, id: `decision ${name}`, callId: `call ${name} 0`});
	journal.recordDecision({
		...decision,
		id: `asked ${name}`,
		requestedAt: undefined,
		arguments: {t: 'x'.repeat(20_000)},
	});
	const alone = {...about, time, id: `alone ${name}`, arguments: {}, origin: {kind: 'command-line'}} as const;
	journal.recordCall(alone, {outcome: 'denied', code: 'denied', ms: 2});
}

/** The answers of every function that reads. */
export async function readJournal(journal: Journal) {
	const limit = 1000;
	const ofEachName = async <Answer>(read: (name: string) => Promise<Answer>) => {
		const all: Answer[] = [];
		for (const name of filledNames) {
			all.push(await read(name));
		}

		return all;
	};

	const uncertain = {profile: 'a', begunBefore: filledFrom + 3000, limit};
	return {
		uses: await journal.listRuleUses(),
		calls: [
			await journal.listCalls({limit}),
			await journal.listCalls({limit: 7}),
			await journal.listCalls({profile: 'a', limit}),
			await journal.listCalls({profile: 'A', server: 'B', limit}),
			await journal.listUncertainCalls(uncertain),
			await journal.listUncertainCalls({...uncertain, limit: 3}),
		],
		pages: await callPages(journal),
		asked: [await journal.countAsked({profile: 'a'}), await journal.countAsked({profile: 'none'})],
		older: [
			await journal.listOlderRows({before: filledFrom + 1_000_000, limit}),
			await journal.listOlderRows({before: filledFrom + 2100, limit: 3}),
		],
		decisions: [await journal.listDecisions({limit}), await journal.listDecisions({limit: 4})],
		events: await Promise.all(
			[{limit}, {route: 'pulls', limit}, {profile: 'Pulls', limit: 3}, {route: 'Pulls', profile: 'default', limit}].map(
				query => journal.listEventResults(query),
			),
		),
		answers: [await journal.listMessages({limit}), await journal.listMessages({states: ['failed'], limit: 2})],
		runs: [await journal.listRuns({limit}), await journal.listRuns({profile: 'default', limit: 5})],
		spending: sortedSpending(await journal.listSpending(filledDate)),
		failed: (await journal.listFailedDeliveries({limit})).map(delivery => ({...delivery, id: ''})),
		rates: await journal.listRates({since: filledFrom + 700, before: filledFrom + 9000}),
		found: await ofEachName(name => journal.findCall(`call ${name} 0`)),
		files: await ofEachName(async name => [
			await journal.listEventFiles(`event ${name}`),
			await journal.findEventFile(`event ${name}`, 1),
			await journal.findEventFile(`event ${name}`, 3),
		]),
		ofRuns: await ofEachName(name => journal.listRunCalls(`run ${name}`, 4)),
		progress: await ofEachName(name => journal.findRunProgress(`run ${name}`)),
		decided: await ofEachName(name => journal.findCallDecision(`call ${name} 0`)),
		ofRunDecided: await ofEachName(name => journal.listRunDecisions(`run ${name}`, limit)),
		ids: [
			await journal.findIds({of: 'call', part: 'call'}),
			await journal.findIds({of: 'call', part: ' 4', before: 'call a'}),
			await journal.findIds({of: 'event', part: '\u0301'}),
			await journal.findIds({of: 'run', part: 'RUN '}),
			await journal.findIds({of: 'run', part: 'run 😀'}),
		],
		traces: await ofEachName(name => Promise.all(subjects.flatMap(kind => traces(journal, kind, name)))),
	};
}

function traces(journal: Journal, kind: (typeof subjects)[number], name: string) {
	const ids = {
		event: [`event ${name}`, `refused ${name}`],
		run: [`run ${name}`],
		call: [`call ${name} 4`, `alone ${name}`],
		decision: [`decision ${name}`, `asked ${name}`],
		delivery: [`m ${name}`, `n ${name}`],
		job: [name],
	}[kind];
	return [...ids, 'none'].map(id => journal.findTrace({subject: {kind, id}, profile: 'default'}));
}

/** In the order of their names: the table has none. */
function sortedSpending({spending, limits}: Awaited<ReturnType<Journal['listSpending']>>) {
	return {spending: spending.toSorted((one, other) => (one.name < other.name ? -1 : 1)), limits};
}

/** Pages are as long as an engine likes; together they have the same calls. */
async function callPages(journal: Journal): Promise<readonly CallRecord[]> {
	const calls: CallRecord[] = [];
	let next: number | undefined;
	do {
		const page = await journal.listCallPage({profile: 'a', ...(next !== undefined && {before: next})});
		calls.push(...page.calls);
		({next} = page);
	} while (next !== undefined);
	return calls;
}
