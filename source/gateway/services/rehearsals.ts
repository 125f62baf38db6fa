import {once} from 'node:events';
import {Worker} from 'node:worker_threads';
import {type RecordedCall, type RehearsalFigures} from '../../approvals/rehearsal.ts';
import {type Rule} from '../../approvals/rule.ts';
import {type Journal} from '../../journal/journal.ts';
import {type Catalogue} from '../../tools/catalogue.ts';
import {openDeadline, untilAborted} from '../../util/clock.ts';
import {ownProgram} from '../../util/own-program.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {createSlots} from '../../util/slots.ts';
import {readProfileFacts} from '../stores/rehearsal-sources.ts';
import {definitionKey, type ProfileFacts, toolKey} from '../stores/rehearsal-facts.ts';
import {createRuleStore, readRules} from '../stores/rule-store.ts';
import {type OpenProfile} from '../documents/open-profile.ts';

/** The rules that are tried, and the outcomes that theirs is compared with. */
type RehearsedRules =
	/** The rules in force, with the decision made about each call at its time. */
	| {readonly kind: 'present'}
	/** More rules beside those that hold now, with those alone. Their ids are none of theirs. */
	| {readonly kind: 'with'; readonly rules: readonly Rule[]}
	/** The rules in force, and the same without the rule or remembered approval of this id. */
	| {readonly kind: 'without'; readonly id: string};

export type RehearsalQuery = {
	readonly rules: RehearsedRules;
	/** Tries only calls of this tool. */
	readonly only?: Pick<RecordedCall, 'server' | 'tool'>;
	/** Bound on the changed calls that are named; the newest ones. */
	readonly maxChanged: number;
};

export type RehearsalOutcome = RehearsalFigures & {
	/** When the oldest of the tried calls was made, in milliseconds since the epoch; absent where there is none. */
	readonly since?: number;
	/** `newest-calls`: older ones were left out, for their number or for time. */
	readonly reach: 'all-calls' | 'newest-calls';
};

/**
Tries rules on the recorded calls of the profile in the background (docs/rules.md, Rehearsal): the newest 100,000, for 30 seconds at most, in a
thread that has the rules and the calls and can send nothing. The rules are those of the moment it begins. One rehearsal at a time runs in a gateway;
eight more wait for their turn. `onProgress` gets the number of calls that were read so far.
Rejects with the reason of the signal, `rules_invalid`, the problem of a file of approvals that cannot be read, `storage_unavailable`, `bad_usage` for
an id that is none, or `cancelled` when the gateway stops or too many wait.
*/
export type Rehearse = (
	query: RehearsalQuery,
	options: {readonly signal: AbortSignal; readonly onProgress?: (calls: number) => void},
) => Promise<RehearsalOutcome>;

/** The data that a rehearsal thread starts with. */
export type RehearsalThreadData = {
	readonly present: readonly Rule[] | 'recorded';
	readonly tried: readonly Rule[];
	readonly facts: ProfileFacts;
	/** The same object where the tried rules have no others. */
	readonly triedFacts: ProfileFacts;
	readonly maxChanged: number;
};

/** A request to the thread. It replies once to each: with the figures, or without a value after it has tried the calls. */
export type RehearsalRequest =
	| {readonly kind: 'calls'; readonly calls: readonly RecordedCall[]}
	| {readonly kind: 'figures'};

const maxCalls = 100_000;
const maxMilliseconds = 30_000;

/** A disk or a thread that takes longer is given up. */
const patienceMilliseconds = 60_000;

/** For all profiles together: a rehearsal uses a core. */
const slots = createSlots(1, {
	maxWaiting: 8,
	refusal: () => new Problem('cancelled', {message: 'Too many rehearsals are waiting; try again later'}),
});

type Sources = {
	readonly context: Pick<OpenProfile, 'paths' | 'clock' | 'current' | 'documents'>;
	readonly journal: Pick<Journal, 'listCallPage'>;
	readonly catalogue: Pick<Catalogue, 'list'>;
};

/** Creates the rehearsals of a profile. `close` ends those that are under way. */
export function openRehearsals(sources: Sources): {readonly rehearse: Rehearse; readonly close: () => void} {
	const ending = new AbortController();
	return {
		async rehearse(query, {signal, onProgress}) {
			const either = AbortSignal.any([signal, ending.signal]);
			const release = await slots.take(either);
			const deadline = openDeadline(sources.context.clock, patienceMilliseconds, {
				signal: either,
				reason: () => new Problem('internal', {message: 'The rehearsal took too long'}),
			});
			try {
				const {signal: until} = deadline;
				const thread = openThread(threadData(query, sources), until);
				try {
					return await readCalls(query, {...sources, thread, signal: until, onProgress});
				} finally {
					await thread.close();
				}
			} finally {
				deadline.cancel();
				release();
			}
		},
		close: () => ending.abort(new Problem('cancelled', {message: 'The gateway is stopping'})),
	};
}

/** Reads page by page, so that the main thread has no more than one of them and does other work between them. */
async function readCalls(
	{only}: RehearsalQuery,
	options: Sources & {
		readonly thread: RehearsalThread;
		readonly signal: AbortSignal;
		readonly onProgress: ((calls: number) => void) | undefined;
	},
): Promise<RehearsalOutcome> {
	const {context, journal, thread, signal, onProgress} = options;
	const {clock, paths} = context;
	const end = clock.elapsed() + maxMilliseconds;
	let read = 0;
	let since: number | undefined;
	let next: number | undefined;
	do {
		const query = {profile: paths.profile, ...(next !== undefined && {before: next})};
		const page = await untilAborted(journal.listCallPage(query), signal);
		const calls = only
			? page.calls.filter(({server, tool}) => server === only.server && tool === only.tool)
			: page.calls;
		await thread.add(calls);
		read += page.calls.length;
		since = calls.at(-1)?.time ?? since;
		({next} = page);
		onProgress?.(read);
	} while (next !== undefined && read < maxCalls && clock.elapsed() < end);
	return {
		...(await thread.figures()),
		...(since !== undefined && {since}),
		reach: next === undefined ? 'all-calls' : 'newest-calls',
	};
}

/** Everything the thread decides by. */
function threadData({rules, maxChanged}: RehearsalQuery, {context, catalogue}: Sources): RehearsalThreadData {
	const present = readRules(context);
	const inputSchemas = new Map(
		catalogue.list().map(({server, tool, definition}) => [toolKey(server, tool), definition.inputSchema]),
	);
	const facts = {...readProfileFacts(context), inputSchemas};
	const same = {facts, triedFacts: facts, maxChanged};
	switch (rules.kind) {
		case 'present':
			return {...same, present: 'recorded', tried: present};
		case 'with':
			return {...same, present, tried: [...present, ...rules.rules]};
		case 'without': {
			const tried = present.filter(({id}) => id !== rules.id);
			return tried.length < present.length
				? {...same, present, tried}
				: {...same, present, tried: present, triedFacts: withoutApproval(facts, rules.id, context)};
		}
	}
}

function withoutApproval(facts: ProfileFacts, id: string, {documents}: Pick<OpenProfile, 'documents'>): ProfileFacts {
	const approval = createRuleStore(documents)
		.read()
		.rules.find(rule => rule.id === id);
	if (!approval) {
		const message = 'Only rules of config.yaml and stored approvals can be left out of a rehearsal';
		throw new Problem('bad_usage', {message});
	}

	const left = definitionKey(approval);
	return {...facts, approved: new Set([...facts.approved].filter(key => key !== left))};
}

/** A rehearsal in a thread of its own. One request at a time. */
type RehearsalThread = {
	readonly add: (calls: readonly RecordedCall[]) => Promise<void>;
	readonly figures: () => Promise<RehearsalFigures>;
	readonly close: () => Promise<void>;
};

const memoryLimits = {maxOldGenerationSizeMb: 256};

/** Starts a thread. Its requests reject with the reason of the signal, or `internal` once it has failed. */
function openThread(data: RehearsalThreadData, signal: AbortSignal): RehearsalThread {
	const worker = new Worker(ownProgram('rehearsal-thread', import.meta.url), {
		name: 'rehearsal',
		workerData: data,
		env: {},
		argv: [],
		resourceLimits: memoryLimits,
	});
	const broken = new AbortController();
	worker.on('error', caught => broken.abort(toProblem(caught)));
	const either = AbortSignal.any([signal, broken.signal]);
	const ask = async (request: RehearsalRequest): Promise<unknown> => {
		either.throwIfAborted();
		const answered = once(worker, 'message');
		worker.postMessage(request, []);
		const [answer] = await untilAborted(answered, either);
		return answer;
	};

	return {
		add: async calls => void (await ask({kind: 'calls', calls})),
		figures: async () => (await ask({kind: 'figures'})) as RehearsalFigures,
		close: async () => void (await worker.terminate()),
	};
}
