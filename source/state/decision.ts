import {isHead} from '../util/exact-text.ts';
import {
	type ApprovalRequest,
	type ApprovalScope,
	hiddenWords,
	type HiddenArguments,
	liftedFor,
	markedWords,
	mayBecomeRule,
	offeredScopes,
} from './approval-event.ts';

/** A call that a person decides about: a waiting request, or an uncertain call, of which less is known. */
export type DecidedCall = Pick<
	ApprovalRequest,
	'server' | 'tool' | 'arguments' | 'origin' | 'node' | keyof HiddenArguments
> &
	Partial<Pick<ApprovalRequest, 'kind' | 'trust' | 'hints' | 'description' | 'definitionChange' | 'payloadPaths'>> & {
		readonly rule?: Pick<NonNullable<ApprovalRequest['rule']>, 'words'>;
	};

/** A claim of a server about its tool that makes a call risky. */
export type RiskyClaim = 'destructive' | 'open world';

/** The facts that every renderer shows beside server, tool, origin and arguments. Empty: there is none of the kind. */
export type DecisionFacts = {
	/** A longer approval covers all calls of the tool, or all requests of the server for answers of the model. */
	readonly subject: 'this tool' | 'its requests';
	/** The time for which an approval lifts the limit that it is about; undefined for other requests. */
	readonly liftedFor: ReturnType<typeof liftedFor>;
	readonly trust: 'trusted' | 'untrusted';
	readonly claims: readonly RiskyClaim[];
	/** The parts of the arguments that are cut or masked, in words. */
	readonly hidden: readonly string[];
	/** The number of marked characters, in words. */
	readonly marked: readonly string[];
	/** Paths of the values that the untrusted payload has word for word. */
	readonly payloadPaths: readonly string[];
	/** The rule that asks, in words. */
	readonly rule: string;
	/** Words of the server, as exact as the arguments. */
	readonly definitionChange: string;
	readonly description: string;
};

/** The facts about a call, for the card, the page of a command and the screen reader alike. */
export function decisionFacts(call: DecidedCall): DecisionFacts {
	const {kind, trust, hints, payloadPaths = [], rule, definitionChange = '', description = ''} = call;
	return {
		subject: kind === 'sampling' ? 'its requests' : 'this tool',
		liftedFor: kind && liftedFor({kind, tool: call.tool}),
		trust: trust === 'untrusted' ? 'untrusted' : 'trusted',
		claims: [
			...(hints?.destructiveHint === true ? (['destructive'] as const) : []),
			...(hints?.openWorldHint === true ? (['open world'] as const) : []),
		],
		hidden: hiddenWords(call),
		marked: markedWords(call),
		payloadPaths,
		rule: rule?.words ?? '',
		definitionChange,
		description,
	};
}

/** `read`: a person has had all of a request before them, without a gap. */
export type Reading = 'unread' | 'read';

/** The reading of a request: of the form that it was published in where that is complete, else of the whole. */
export function requestReading(
	{cutBytes, tool}: Pick<ApprovalRequest, 'cutBytes' | 'tool'>,
	{published, full}: {readonly published: Reading; readonly full: Reading},
): Reading {
	return cutBytes === 0 && !isHead(tool) && published === 'read' ? 'read' : full;
}

/** The rule that a request may become: only the gateway that asks has the call itself. */
export type RuleChoice =
	/** `this-command`: about exactly this command in this folder. */
	| {readonly kind: 'here'; readonly about: 'arguments' | 'this-command'}
	| {readonly kind: 'none'}
	| {readonly kind: 'elsewhere'; readonly node: string};

/** The offer of the rule that a shell command of a program may become. */
export const thisCommandWords = 'Always exactly this command in this folder';

/** The choices about a request. Denying, with or without a reason, is always one of them. */
export type DecisionChoices = {
	/** The scopes it may be allowed for; empty until it was read. */
	readonly scopes: readonly ApprovalScope[];
	readonly rule: RuleChoice;
};

/** The choices once all of a request was read. */
export function decisionChoices(
	request: Pick<ApprovalRequest, 'kind' | 'rule' | 'origin' | 'grants' | 'askedAt' | 'node'>,
	reading: Reading,
): DecisionChoices {
	return reading === 'read'
		? {scopes: offeredScopes(request), rule: ruleChoice(request)}
		: {scopes: [], rule: {kind: 'none'}};
}

function ruleChoice(request: Parameters<typeof decisionChoices>[0]): RuleChoice {
	const {askedAt, node = '', grants} = request;
	if (!mayBecomeRule(request)) {
		return {kind: 'none'};
	}

	const about = grants === 'once-or-this-command' ? 'this-command' : 'arguments';
	return askedAt === undefined ? {kind: 'here', about} : {kind: 'elsewhere', node};
}

/** Letters of scripts that run from right to left: some terminals show what lies between them in another order than it is sent. */
const rightToLeft =
	/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** The question that follows the choice to allow: a page about the rule that `always` stores, or the same choice again for these reasons. */
export type SecondQuestion =
	| {readonly kind: 'stored-rule' | 'none'}
	| {readonly kind: 'again'; readonly reasons: string};

/** The second question about a call that was read to its end. */
export function secondQuestion(call: DecidedCall, scope: ApprovalScope): SecondQuestion {
	if (scope === 'always') {
		return {kind: 'stored-rule'};
	}

	const reasons = riskReasons(call).join(', ');
	return reasons === '' ? {kind: 'none'} : {kind: 'again', reasons};
}

/** The reasons to ask twice, in words. A cut call is none: it is read as a whole before. */
export function riskReasons(call: DecidedCall): readonly string[] {
	const {claims, hidden, marked} = decisionFacts({...call, cutBytes: 0});
	const isRightToLeft = rightToLeft.test(JSON.stringify(call.arguments));
	return [...claims, ...hidden, ...marked, ...(isRightToLeft ? ['it has right-to-left letters'] : [])];
}
