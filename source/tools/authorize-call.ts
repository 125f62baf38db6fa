import {type Ask} from '../approvals/approval-queue.ts';
import {decide} from '../approvals/policy.ts';
import {
	type DefinedTool,
	type RememberedRule,
	type RememberedRules,
	type RuleMatch,
} from '../approvals/remembered-rules.ts';
import {type RulePins} from '../approvals/rule-pins.ts';
import {rulesForTool, type RuleVerdict, toolTest} from '../approvals/rule-verdict.ts';
import {type Rule} from '../approvals/rule.ts';
import {type ApprovalRequest, offeredScopes} from '../state/approval-event.ts';
import {type ProblemCode} from '../util/problem-codes.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type ApprovalNotes, approvalRequest, fullCall} from './approval-request.ts';
import {type Authorization, isAnswered, type RuledCall, ruleDecision} from './authorization.ts';
import {askingRule, definedTool, proposalSubject, type RuleState, verdictOfRules} from './call-rules.ts';
import {type RegisteredTool} from './registered-tool.ts';
import {type CallConnection, type CallOptions, originOfTask, type ValidatedCall, waitOfTask} from './validate-call.ts';

export type AuthorizeCallOptions = {
	readonly ask: Ask;
	readonly rules: Pick<RememberedRules, 'find' | 'remember' | 'forgetVoid' | 'problem'>;
	/** The rules by argument; read at every call, so that a reload is felt by the next one. */
	readonly ruleState: () => RuleState;
	readonly pins: RulePins;
	/** All tools that are registered now. */
	readonly listTools: () => readonly RegisteredTool[];
	/** Command line or address of a server, secrets masked; safe to show. */
	readonly addressOf: (config: CallConnection['config']) => string;
	/** Finds known secrets in the text shown. */
	readonly partsOf: ApprovalNotes['partsOf'];
	/** Called with internal errors. */
	readonly report: (caught: unknown) => void;
};

/** Reports the wait of a call: called with `true` and the id of the approval when a person is asked about it, and with `false` when that is over. */
type AskingWatch = {readonly onAsking?: (asking: boolean, id?: string) => void};

/**
Decides about one call: rules, policy, remembered approval, person (docs/rules.md, Verdicts; docs/approvals.md, How approvals end). An internal error
is a denial. Rejects with `rules_invalid`, or with `storage_unavailable` while nobody can be asked for that, else never.
*/
type AuthorizeCall = (
	call: ValidatedCall,
	options: {
		readonly signal: AbortSignal;
		/** The earlier decision about the same call of the same tool, which had to wait since: a person is not asked twice about it. */
		readonly earlier?: Authorization | undefined;
	} & AskingWatch &
		Pick<CallOptions, 'untrustedTexts' | 'task'>,
) => Promise<Authorization>;

/** The reason that a person is asked: a rule that asks, a definition that changed, or nothing but the policy. */
type AskReason = ReturnType<typeof askingRule> & {readonly definitionChange?: string | undefined};

/** Puts a call before a person. */
type AskPerson = (
	call: ValidatedCall,
	reason: AskReason,
	asking: Parameters<AuthorizeCall>[1],
) => Promise<Authorization>;

/** Decides by the rules and remembered approvals of this moment. */
function createDecideNow(options: AuthorizeCallOptions, askPerson: AskPerson): AuthorizeCall {
	const {rules} = options;
	const matching = (rule: Rule) => () => toolsOf(rule, options.listTools());

	/** Asks, unless the rule holds for this very definition; what a person approves then is what it holds for from now on. */
	const allowByRule = async (
		call: ValidatedCall,
		{rule, match}: {readonly rule: Rule; readonly match: RuleMatch},
		asking: Parameters<AuthorizeCall>[1],
	): Promise<Authorization> => {
		if (asking.earlier && isAnswered(asking.earlier, undefined)) {
			// A call that a person allowed remains their decision, even if they stored the rule with it.
			return asking.earlier;
		}

		const tool = definedTool(call.tool);
		// A definition that is not the one a person approved before is no definition to begin with.
		const pin = await options.pins.check(rule, tool, match.kind === 'changed' ? undefined : matching(rule));
		if (pin.kind === 'pinned') {
			return {kind: 'allowed', rule};
		}

		const pinChange = pin.kind === 'changed' ? pin.difference : undefined;
		const asked = await askPerson(call, {definitionChange: changeOf(match) ?? pinChange}, asking);
		if (pin.kind === 'changed' && asked.kind === 'asked' && asked.outcome.kind === 'approved') {
			await options.pins.pin(rule, tool);
		}

		return asked;
	};

	/** Asks, and pins the rules to the definition that the person approved. */
	const askAndPin = async (
		call: ValidatedCall,
		{verdict, match, changes}: {verdict: RuleVerdict; match: RuleMatch; changes: ReturnType<RulePins['changes']>},
		asking: Parameters<AuthorizeCall>[1],
	): Promise<Authorization> => {
		const definitionChange = changeOf(match) ?? changes[0]?.difference;
		const asked = await askPerson(call, {...askingRule(verdict), definitionChange}, asking);
		if (asked.kind === 'asked' && asked.outcome.kind === 'approved') {
			const tool = definedTool(call.tool);
			await Promise.all(changes.map(({rule}) => options.pins.pin(rule, tool)));
			if (isNewlyReadOnly(call.tool, match)) {
				await rules.forgetVoid(tool, call.origin);
			}
		}

		return asked;
	};

	return async (call, asking) => {
		const {trust, definition} = call.tool;
		const tool = definedTool(call.tool);
		const rulesNow = validRules(options);
		const verdict = verdictOfRules(rulesNow, call, asking.untrustedTexts);
		options.pins.noteEvaluated(rulesForTool(rulesNow, {...tool, registeredName: call.tool.name}), tool, matching);
		await options.pins.noteUse(verdict, tool, matching);
		const changes = options.pins.changes(rulesNow, tool);
		// Also of a read-only tool: what it was before may be what a person approved.
		const match: RuleMatch = trust === 'full' || call.tool.grants ? {kind: 'none'} : rules.find(tool, call.origin);
		const readOnlyHint = definition.annotations?.readOnlyHint;
		const remembered = match.kind === 'remembered';
		const approval = changes.length > 0 || isNewlyReadOnly(call.tool, match) ? 'fresh' : call.approval;
		const decision = decide({trust, readOnlyHint, remembered, rules: verdict.kind, approval});
		switch (decision) {
			case 'run':
				return {kind: 'free'};
			case 'run-as-remembered':
				return remembered ? rememberedBy(match.rule) : askPerson(call, {}, asking);
			case 'run-by-rule':
				return verdict.kind === 'allow'
					? allowByRule(call, {rule: verdict.rule, match}, asking)
					: askPerson(call, {}, asking);
			case 'deny':
			case 'ask':
				return decision === 'deny' && verdict.kind === 'deny'
					? {kind: 'denied', rule: verdict.rule}
					: askAndPin(call, {verdict, match, changes}, asking);
		}
	};
}

/** The tools that a rule is for. */
function toolsOf(rule: Rule, tools: readonly RegisteredTool[]): readonly DefinedTool[] {
	const isForTool = toolTest(rule);
	return tools.filter(tool => isForTool({...tool, registeredName: tool.name})).map(definedTool);
}

/** A fault of the gateway is no decision about a call. */
const passed: ReadonlySet<ProblemCode> = new Set(['rules_invalid', 'storage_unavailable']);

/** Builds the approval check. */
export function createAuthorizeCall(options: AuthorizeCallOptions): AuthorizeCall {
	const {report} = options;
	const decideNow = createDecideNow(options, createAskPerson(options, createEvaluateAgain(options)));

	/** Rules may change while a person is asked: a new one that denies beats the key, and one that asks was not on the card. */
	const pass: AuthorizeCall = async (call, asking) => {
		const authorization = await decideNow(call, asking);
		if (authorization.kind !== 'asked' || authorization.outcome.kind !== 'approved') {
			return authorization;
		}

		const verdict = verdictOfRules(validRules(options), call, asking.untrustedTexts);
		switch (verdict.kind) {
			case 'deny':
				return {kind: 'denied', rule: verdict.rule};
			case 'ask':
				return verdict.rule.id === authorization.rule?.id ? authorization : pass(call, asking);
			case 'allow':
			case 'none':
				return authorization;
		}
	};

	return async (call, asking) => {
		try {
			return await pass(call, asking);
		} catch (caught) {
			if (caught instanceof Problem && passed.has(caught.code)) {
				throw caught;
			}

			report(caught);
			return {
				kind: 'asked',
				outcome: {kind: 'denied', by: 'gateway', message: 'The approval failed inside the gateway'},
			};
		}
	};
}

/** The rules that hold now. Throws `rules_invalid` when those of the configuration or the stored ones cannot be read: some may deny. */
function validRules({rules, ruleState}: Pick<AuthorizeCallOptions, 'rules' | 'ruleState'>): readonly Rule[] {
	const state = ruleState();
	const problem = state.kind === 'invalid' ? state.problem.message : rules.problem();
	if (state.kind === 'invalid' || problem !== undefined) {
		throw new Problem('rules_invalid', {
			message: safeText(`No tool is called while the rules cannot be read: ${problem}`),
		});
	}

	return state.rules;
}

/** Evaluates the present rules for a call that waits for a person; undefined when it goes on waiting. */
type EvaluateAgain = (call: ValidatedCall, asking: Parameters<AuthorizeCall>[1]) => Promise<RuledCall | undefined>;

function createEvaluateAgain(options: AuthorizeCallOptions): EvaluateAgain {
	const decideAlone = createDecideNow(options, async () => ({kind: 'asked', outcome: {kind: 'cancelled'}}));
	return async (call, {signal, untrustedTexts}) => {
		try {
			const verdict = await decideAlone(call, {signal, untrustedTexts});
			return verdict.kind === 'allowed' || verdict.kind === 'denied' ? verdict : undefined;
		} catch {
			// A fault here makes the answer of the person fail, too, and is reported then.
			return undefined;
		}
	};
}

/** Puts a call before a person until that or a changed rule decides, and remembers what was approved for longer than once. */
function createAskPerson(
	{ask, rules, addressOf, partsOf}: AuthorizeCallOptions,
	evaluateAgain: EvaluateAgain,
): AskPerson {
	return async (call, {rule, definitionChange}, asking) => {
		const {signal, earlier, onAsking, untrustedTexts, task} = asking;
		if (earlier && isAnswered(earlier, rule)) {
			return earlier;
		}

		const address = addressOf(call.connection.config);
		const request = {
			...approvalRequest({...call, origin: originOfTask(call.origin, task)}, {address, definitionChange, partsOf}),
			...(rule && {rule: {id: rule.id, words: rule.words}}),
		};
		let asked: ApprovalRequest | undefined;
		const ruled: RuledCall[] = [];
		const outcome = await ask(request, {
			signal,
			...waitOfTask(task),
			fullRequest: masks => fullCall(call, masks, partsOf),
			subject: () => proposalSubject(call, untrustedTexts, partsOf),
			onWaiting: id => onAsking?.(true, id),
			onRequest: made => void (asked = made),
			async evaluateAgain() {
				const verdict = await evaluateAgain(call, asking);
				ruled.push(...(verdict ? [verdict] : []));
				return verdict && ruleDecision(verdict);
			},
		});
		onAsking?.(false);
		const decided = ruled.find(one => 'by' in outcome && outcome.by === ruleDecision(one).by);
		if (decided) {
			return {...decided, request: asked};
		}

		if (outcome.kind === 'approved' && !offeredScopes(request).includes(outcome.scope)) {
			throw new Error(`A rule cannot approve for the scope ${outcome.scope}`);
		}

		if (outcome.kind === 'approved' && outcome.scope !== 'once') {
			await rules.remember(definedTool(call.tool), outcome.scope, call.origin);
		}

		return {kind: 'asked', outcome, request: asked, ...(rule && {rule: rule.of})};
	};
}

function rememberedBy({id, scope}: RememberedRule): Authorization {
	return {kind: 'remembered', scope, rule: {id, action: 'allow', source: 'stored'}};
}

function changeOf(match: RuleMatch): string | undefined {
	return match.kind === 'changed' ? match.difference : undefined;
}

/** True if a person approved another definition, and the tool now claims to need no approval. */
function isNewlyReadOnly({definition}: RegisteredTool, match: RuleMatch): boolean {
	return match.kind === 'changed' && definition.annotations?.readOnlyHint === true;
}
