import {type CallEvaluation, type CallRecord} from '../journal/rows/records.ts';
import {isJsonObject, isList, type JsonObject, type JsonValue, ownMember} from '../util/json-text.ts';
import {callVerdict} from './call-verdict.ts';
import {decide} from './policy.ts';
import {type RulePin} from './remembered-rules.ts';
import {type Rule} from './rule.ts';

/** The parts of a recorded call that rules are tried on. */
export type RecordedCall = Pick<CallRecord, 'id' | 'time' | 'server' | 'tool' | 'arguments' | 'origin' | 'readOnly'> & {
	/** Absent where nothing was decided about the call. */
	readonly judged?:
		| (Pick<CallEvaluation, 'fingerprint' | 'untrusted'> & Partial<Pick<CallEvaluation, 'decision' | 'rule'>>)
		| undefined;
};

/** The facts that decide about calls besides their arguments and the rules. */
export type RehearsalFacts = {
	readonly trustOf: (server: string) => 'full' | 'untrusted';
	/** True if the tool is approved always, with this definition. */
	readonly isRemembered: (tool: Pick<RecordedCall, 'server' | 'tool'>, fingerprint: string) => boolean;
	/** The definitions that used allow rules hold for. */
	readonly pins: ReadonlyArray<Pick<RulePin, 'rule' | 'server' | 'tool' | 'fingerprint'>>;
	readonly registeredName: (server: string, tool: string) => string;
	/** Undefined: not known. */
	readonly inputSchemaOf: (server: string, tool: string) => JsonObject | undefined;
};

/** The verdict about a call: it runs without a question, a person is asked, or it is denied. */
type RehearsedVerdict = 'allow' | 'ask' | 'deny';

/** A call whose verdict would change. `rule`: the one that decides then, or decided before where none does then. */
export type ChangedCall = Pick<RecordedCall, 'id' | 'time' | 'server' | 'tool'> & {
	readonly before: RehearsedVerdict;
	readonly after: RehearsedVerdict;
	readonly rule: string | undefined;
};

/** The number of calls that the tried rules would allow, have asked about and deny. */
export type RehearsalFigures = {
	readonly calls: number;
	readonly verdicts: Readonly<Record<RehearsedVerdict, number>>;
	/** The same for what they are compared with; calls about which nothing was decided then are in none of these. */
	readonly before: Readonly<Record<RehearsedVerdict, number>>;
	/** The number of verdicts that would change, and the first of these calls as they came. */
	readonly changes: number;
	readonly changed: readonly ChangedCall[];
};

/** Tries rules on recorded calls. */
type Rehearsal = {
	/** Takes the next calls, newest first. */
	readonly add: (calls: readonly RecordedCall[]) => void;
	readonly figures: () => RehearsalFigures;
};

/** The maximum of changed calls that are named, and of tools whose newest definition is known. */
const maxChanged = 100_000;
const maxTools = 10_000;

/**
Compares what `present` rules and `tried` ones make of recorded calls, or `tried` ones with what was decided about each call then (docs/rules.md,
Rehearsal). What is not known of a call never makes it allowed: without its definition no allow rule and no remembered approval holds. Time and
memory do not depend on what comes between the pages. `triedFacts`: where the tried rules have others.
*/
export function createRehearsal(
	{present, tried}: {readonly present: readonly Rule[] | 'recorded'; readonly tried: readonly Rule[]},
	facts: RehearsalFacts,
	triedFacts: RehearsalFacts = facts,
): Rehearsal {
	const verdicts = {allow: 0, ask: 0, deny: 0};
	const beforeVerdicts = {allow: 0, ask: 0, deny: 0};
	const changed: ChangedCall[] = [];
	let calls = 0;
	let changes = 0;
	const definitions = createDefinitions(facts.pins);
	const isSame = present === tried && facts === triedFacts;
	const outcomeBefore = (call: RecordedCall) =>
		present === 'recorded' ? recordedOutcome(call) : verdictOf(present, call, {facts, definitions});
	const rehearse = (call: RecordedCall) => {
		definitions.note(call);
		const after = verdictOf(tried, call, {facts: triedFacts, definitions});
		const before = isSame ? after : outcomeBefore(call);
		calls++;
		verdicts[after.verdict]++;
		if (before) {
			beforeVerdicts[before.verdict]++;
		}

		if (!before || before.verdict === after.verdict) {
			return;
		}

		changes++;
		if (changed.length < maxChanged) {
			const {id, time, server, tool} = call;
			const rule = after.rule ?? before.rule;
			changed.push({id, time, server, tool, before: before.verdict, after: after.verdict, rule});
		}
	};

	return {
		add: page => page.forEach(rehearse),
		figures: () => ({calls, verdicts: {...verdicts}, before: {...beforeVerdicts}, changes, changed}),
	};
}

type Outcome = {readonly verdict: RehearsedVerdict; readonly rule?: string};

/** The decision about a call when it was made; undefined if it is not recorded. */
function recordedOutcome({judged}: RecordedCall): Outcome | undefined {
	const rule = judged?.rule && {rule: judged.rule.id};
	switch (judged?.decision) {
		case 'free':
		case 'remembered':
		case 'allowed':
			return {verdict: 'allow', ...rule};
		case 'denied':
			return {verdict: 'deny', ...rule};
		case 'asked':
			return {verdict: 'ask', ...rule};
		case undefined:
			return undefined;
	}
}

function verdictOf(
	rules: readonly Rule[],
	call: RecordedCall,
	{facts, definitions}: {readonly facts: RehearsalFacts; readonly definitions: Definitions},
): Outcome {
	const {server, tool, arguments: args, origin, readOnly, judged} = call;
	const verdict = callVerdict(rules, {
		server,
		tool,
		registeredName: facts.registeredName(server, tool),
		arguments: args,
		inputSchema: facts.inputSchemaOf(server, tool),
		origin,
		isUntrusted: untrustedTexts(call),
	});
	const decision = decide({
		trust: facts.trustOf(server),
		readOnlyHint: readOnly,
		remembered: judged !== undefined && facts.isRemembered(call, judged.fingerprint),
		rules: verdict.kind,
	});
	const rule = verdict.kind === 'none' ? {} : {rule: verdict.rule.id};
	switch (decision) {
		case 'deny':
			return {verdict: 'deny', ...rule};
		case 'run':
		case 'run-as-remembered':
			return {verdict: 'allow'};
		case 'run-by-rule':
			return {
				verdict: verdict.kind !== 'none' && definitions.isHeld(verdict.rule, call) ? 'allow' : 'ask',
				...rule,
			};
		case 'ask':
			return {verdict: 'ask', ...rule};
	}
}

/** The definitions that allow rules hold for. */
type Definitions = {
	readonly note: (call: RecordedCall) => void;
	readonly isHeld: (rule: Rule, call: RecordedCall) => boolean;
};

/** A rule without a use holds for the newest definition of a tool, which is the first that comes. */
function createDefinitions(pins: RehearsalFacts['pins']): Definitions {
	const pinned = new Map(pins.map(pin => [JSON.stringify([pin.rule, pin.server, pin.tool]), pin.fingerprint]));
	const used = new Set(pins.map(({rule}) => rule));
	const newest = new Map<string, string>();
	return {
		note({server, tool, judged}) {
			const key = JSON.stringify([server, tool]);
			if (judged && !newest.has(key) && newest.size < maxTools) {
				newest.set(key, judged.fingerprint);
			}
		},
		isHeld({id}, {server, tool, judged}) {
			const held = used.has(id)
				? pinned.get(JSON.stringify([id, server, tool]))
				: newest.get(JSON.stringify([server, tool]));
			return judged !== undefined && held === judged.fingerprint;
		},
	};
}

/** Tests if a text was in untrusted text, as far as recorded: every text of an argument with such a value may have been. */
export function untrustedTexts({
	arguments: args,
	judged,
}: Pick<RecordedCall, 'arguments' | 'judged'>): (text: string) => boolean {
	if (!judged) {
		return () => true;
	}

	const texts = new Set<string>();
	judged.untrusted?.forEach(name => addTexts(ownMember(args, name) ?? null, texts));
	return text => texts.has(text);
}

function addTexts(value: JsonValue, texts: Set<string>): void {
	if (typeof value === 'string' || typeof value === 'number') {
		texts.add(String(value));
	} else if (isList(value)) {
		value.forEach(one => addTexts(one, texts));
	} else if (isJsonObject(value)) {
		Object.values(value).forEach(one => addTexts(one, texts));
	}
}
