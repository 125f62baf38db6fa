import {
	type ArgumentChoice,
	type ProposalSubject,
	type ProposedArgument,
	proposeRule,
	type RuleProposal,
} from '../../approvals/rule-proposal.ts';
import {untrustedTexts} from '../../approvals/rehearsal.ts';
import {conditionInWords, ruleInWords} from '../../approvals/rule.ts';
import {storedId} from '../../approvals/stored-rules.ts';
import {hashRule} from '../../config/rules/rule-entry.ts';
import {type RuleEntry} from '../../config/rules/rule-schema.ts';
import {mayBecomeRule} from '../../state/approval-event.ts';
import {type GatewayHandlers, type HandlerCall} from '../../control/methods.ts';
import {type ParamsOf, type ResultOf} from '../../state/api.ts';
import {type ShownArgument, type ShownProposal} from '../../state/view-event.ts';
import {proposalSubject} from '../../tools/call-rules.ts';
import {recordedTool} from '../../tools/decide-hook.ts';
import {exactHead, exactLine} from '../../util/exact-text.ts';
import {shownId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {toolText} from '../../util/safe-text.ts';
import {type HandlerContext} from './handler-context.ts';

type ProposalHandlers = Pick<GatewayHandlers, 'rules.propose' | 'rules.store' | 'rules.store-proposed'>;
type Tools = HandlerContext['profile']['tools'];
type Context = HandlerContext['profile']['context'];

/** Rules from cards and from recorded calls (docs/rules.md, Rules from a card). */
export function ruleProposalHandlers(handlerContext: HandlerContext): ProposalHandlers {
	return {
		'rules.propose': (params, call) => propose(params, {...handlerContext, ...call}),
		'rules.store': params => storeRule(params, handlerContext),
		'rules.store-proposed': params => storeProposed(params, handlerContext),
	};
}

/** Sends the rule that a waiting request or a recorded call proposes, with the choices made so far; the result has also what it would have let through of the recorded calls of the tool. */
async function propose(
	{id, from, choices}: ParamsOf<'rules.propose'>,
	{profile: {context, tools}, signal, note}: Pick<HandlerContext, 'profile'> & HandlerCall<'rules.propose'>,
): Promise<ShownProposal> {
	const subject = from === 'call' ? await recordedSubject(id, {context, tools}) : waitingSubject(id, tools);
	const proposal = proposeRule(subject, choices);
	const shown = shownProposal(id, proposal, context.redactor.redact);
	if (proposal.outcome.kind !== 'rule') {
		return shown;
	}

	note(shown);
	const {rule} = proposal.outcome;
	const rules = [{...rule, id: `proposed-${hashRule(rule)}`, source: 'stored'} as const];
	const {calls, changes, changed} = await tools.rehearse(
		{rules: {kind: 'with', rules}, only: {server: subject.server, tool: subject.tool}, maxChanged: maxNamed},
		{signal},
	);
	const newest = changed.map(({id: callId, time}) => ({callId, time}));
	return {...shown, recorded: {calls, allowed: changes, newest}};
}

/** Recorded calls that are named on the page. */
const maxNamed = 3;

/**
Stores the rule of a request and allows the request once. Rejects, and stores nothing, when the request does not wait any more, is another one than was
shown, or gives another rule now.
*/
async function storeRule(
	{id, arguments_hash: argumentsHash, choices, rule_hash: ruleHash}: ParamsOf<'rules.store'>,
	{profile: {context, tools}, caller}: HandlerContext,
): Promise<ResultOf<'rules.store'>> {
	const subject = waitingSubject(id, tools);
	const {rule, words} = shownRule({id, subject, choices, ruleHash}, context);
	const assertWaiting = () => {
		if (!tools.approvals.pending().some(one => one.id === id && one.argumentsHash === argumentsHash)) {
			throw refusal(`the request ${shownId(id)} does not wait any more, or not with the arguments that were shown`);
		}
	};

	assertWaiting();
	const added = await tools.storedRules.add(rule, {tool: subject.definition, mayStore: assertWaiting});
	const answer = await tools.requests.answerApproval({
		id,
		argumentsHash,
		verdict: {kind: 'approve', scope: 'once'},
		by: caller.name,
	});
	if (answer !== 'resolved') {
		if (added === 'added') {
			await tools.storedRules.remove(storedId(rule));
		}

		throw refusal(`the request ${shownId(id)} was answered meanwhile`);
	}

	return noteStored({rule, words}, {context, tools, caller});
}

/** Stores the rule of a recorded call. Rejects, and stores nothing, when the call gives another rule now. It holds for the definition of the tool at its first use. */
async function storeProposed(
	{id, choices, rule_hash: ruleHash}: ParamsOf<'rules.store-proposed'>,
	{profile: {context, tools}, caller}: HandlerContext,
): Promise<ResultOf<'rules.store-proposed'>> {
	const subject = await recordedSubject(id, {context, tools});
	const {rule, words} = shownRule({id, subject, choices, ruleHash}, context);
	await tools.storedRules.add(rule);
	return noteStored({rule, words}, {context, tools, caller});
}

type ShownRule = {readonly rule: RuleEntry; readonly words: string};

/** The rule of a proposal, as it was shown. Throws where it is another one now. */
function shownRule(
	{
		id,
		subject,
		choices,
		ruleHash,
	}: {
		readonly id: string;
		readonly subject: ProposalSubject;
		readonly choices: readonly number[];
		readonly ruleHash: string;
	},
	{redactor}: Context,
): ShownRule {
	const proposal = proposeRule(subject, choices);
	const shown = shownProposal(id, proposal, redactor.redact).outcome;
	if (proposal.outcome.kind !== 'rule' || shown.kind !== 'rule' || shown.hash !== ruleHash) {
		throw refusal('another rule would be stored than was shown');
	}

	return {rule: proposal.outcome.rule, words: shown.words};
}

/** Says what was stored, and lets go on what the rule allows. */
async function noteStored(
	{rule, words}: ShownRule,
	{context, tools, caller}: Pick<HandlerContext, 'caller'> & {readonly context: Context; readonly tools: Tools},
): Promise<ResultOf<'rules.store'>> {
	const id = storedId(rule);
	context.publish({
		type: 'log',
		level: 'info',
		area: 'approvals',
		text: `${caller.name} stored the rule ${id}: ${words}`,
	});
	await tools.approvals.evaluateAgain();
	return {rule: id, words};
}

function refusal(why: string): Problem {
	return new Problem('denied', {message: `No rule was stored: ${why}`});
}

/** A call that waits for a person, as a rule is made from it. Throws where it gives none. */
function waitingSubject(id: string, {approvals, requests}: Pick<Tools, 'approvals' | 'requests'>): ProposalSubject {
	const elsewhere = requests.approvals().find(one => one.id === id && one.askedAt !== undefined);
	if (elsewhere) {
		throw refusal(
			`the request ${shownId(id)} waits at ${elsewhere.node ?? ''}, and only there a rule can be made from it`,
		);
	}

	const request = approvals.pending().find(one => one.id === id);
	const subject = approvals.subject(id);
	if (!request || !subject) {
		throw refusal(`the request ${shownId(id)} does not wait any more, or is no call of a tool`);
	}

	if (!mayBecomeRule(request)) {
		throw refusal(request.rule ? 'a rule asks about this call, so it can only be allowed once' : 'it gives no rule');
	}

	return subject;
}

/** A recorded call, as a rule is made from it: of the tool as it is now, and with what is recorded of untrusted texts. Rejects with `unknown_call`, or where the tool is gone. */
async function recordedSubject(
	id: string,
	{context, tools}: {readonly context: Context; readonly tools: Tools},
): Promise<ProposalSubject> {
	const call = await tools.findCall(id);
	if (call?.profile !== context.paths.profile) {
		throw new Problem('unknown_call');
	}

	const tool = recordedTool(call, tools.catalogue.find);
	if (!tool) {
		throw refusal(`the tool ${toolText(call)} is not there now`);
	}

	return proposalSubject(
		{tool, arguments: call.arguments, origin: call.origin},
		{holds: untrustedTexts(call)},
		context.redactor.partsOf,
	);
}

/** A longer rule nobody reads. */
const maxCharacters = 1500;
const maxNameCharacters = 200;

function shownProposal(
	id: string,
	{arguments: proposed, outcome}: RuleProposal,
	redact: (text: string) => string,
): ShownProposal {
	return {
		id,
		arguments: proposed.map(argument => shownArgument(argument)),
		outcome: shownOutcome(outcome, redact),
	};
}

function shownArgument({path, choices, chosen, without}: ProposedArgument): ShownArgument {
	return {
		name: exactHead(path, maxNameCharacters, exactLine),
		choices: choices.map(choice => exactHead(choiceInWords(choice), maxNameCharacters, exactLine)),
		chosen,
		...(without && {note: notes[without]}),
	};
}

const notes = {
	untrusted: 'its value, or a piece of it, stands in untrusted text that the run has read, so no rule may go by it',
	masked: 'it holds a secret, which no rule is to name',
	unfit: 'no condition fits its value',
} as const;

function choiceInWords(choice: ArgumentChoice): string {
	switch (choice.kind) {
		case 'condition':
			return conditionInWords(choice.condition);
		case 'ignore':
			return 'may be anything';
		case 'open':
			return 'not chosen yet';
	}
}

/** Only what can be shown to its last character may be stored. */
function shownOutcome(outcome: RuleProposal['outcome'], redact: (text: string) => string): ShownProposal['outcome'] {
	switch (outcome.kind) {
		case 'rule': {
			const words = exactLine(ruleInWords(outcome.rule));
			if (words.length > maxCharacters) {
				return {kind: 'none', why: 'such a rule is too long to be read'};
			}

			return redact(words) === words
				? {kind: 'rule', words, hash: hashRule(outcome.rule)}
				: {kind: 'none', why: 'such a rule would name a secret'};
		}

		case 'open':
			return {
				kind: 'none',
				why: `choose what ${exactHead(outcome.path, maxNameCharacters, exactLine)} may be: no condition is offered for it`,
			};
		case 'too-many-arguments':
			return {kind: 'none', why: 'the call has too many arguments to make a rule from'};
		case 'in-vain':
			return {kind: 'none', why: 'no such rule would allow this call'};
	}
}
