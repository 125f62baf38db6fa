import {createApprovalQueue, type ApprovalQueue} from '../../approvals/approval-queue.ts';
import {createQuestionQueue, type QuestionQueue} from '../../approvals/question-queue.ts';
import {createRequestRows} from '../../approvals/request-rows.ts';
import {createSharedRequests, type SharedRequests} from '../../approvals/shared-requests.ts';
import {type WaitingTime} from '../../approvals/waiting-time.ts';
import {type Journal} from '../../journal/journal.ts';
import {valuesCheck} from '../../mcp/server-requests/form-values.ts';
import {type CallClaims} from '../../tools/claim-call.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type AskAboutLimit, createAskAboutLimit, createRecordDecision} from './asked-decisions.ts';
import {openHoldStore} from './hold-store.ts';
import {createRuleStore} from './rule-store.ts';

/** The gateways that share the journal with this one. */
export type OtherGateways = {
	/** The name of this gateway among them; undefined: there are none. */
	readonly node: () => string | undefined;
	/** True if another gateway has a console that shows the requests of a profile. */
	readonly hasConsoleElsewhere: (profile: string) => boolean;
	/** True if a person can decide about requests of a profile in a chat now (docs/remote.md); absent: nobody can. */
	readonly hasChannel?: ((profile: string) => boolean) | undefined;
	/** Milliseconds that the clock of the journal is ahead of the clock of this machine. */
	readonly clockAhead: () => number;
};

/** Requests that wait for a person in a profile: approvals and questions. */
export type PersonRequests = {
	/** Approval requests of this gateway. */
	readonly approvals: ApprovalQueue;
	readonly questions: QuestionQueue;
	/** Asks a person about a limit that was reached. */
	readonly askAboutLimit: AskAboutLimit;
	/** The same, and what waits at the other gateways of the journal. */
	readonly requests: SharedRequests;
};

/** Creates the requests of a profile, which nothing waits for yet. */
export function createPersonRequests(
	context: ProfileContext,
	{
		journal,
		node,
		hasConsoleElsewhere,
		hasChannel = () => false,
		time,
	}: OtherGateways & {readonly journal: Journal; readonly time: WaitingTime},
): PersonRequests {
	const {clock, publish, paths} = context;
	const rows = createRequestRows({clock, journal, profile: paths.profile, node});
	const isSeenElsewhere = () => hasConsoleElsewhere(paths.profile);
	const approvals = createApprovalQueue({
		clock,
		time,
		publish,
		settings: liveApprovals(context),
		hasConsoleElsewhere: () => isSeenElsewhere() || hasChannel(paths.profile),
		rows: rows.approvals,
	});
	const questions = createQuestionQueue({
		clock,
		time,
		publish,
		// A chat shows no forms, and no pages to open.
		hasConsole: ({kind}) =>
			approvals.hasConsole() || isSeenElsewhere() || (kind === 'clarify' && hasChannel(paths.profile)),
		rows: rows.questions,
	});
	const requests = createSharedRequests({
		rows,
		approvals,
		questions,
		journal,
		profile: paths.profile,
		clock,
		publish,
		// A question of a run has no form: its one value is a text.
		checkForm: async ({kind, fields}, {values}) =>
			kind === 'clarify' ? {kind: 'fit', values} : (await valuesCheck(fields))(values),
	});
	const askAboutLimit = createAskAboutLimit(approvals.ask, createRecordDecision(context, journal));
	return {approvals, questions, askAboutLimit, requests};
}

/** Claims the calls of a profile by its stored rules and the hold, as they were read last. */
export function createCallClaims(
	{documents, paths}: Pick<OpenProfile, 'documents' | 'paths'>,
	{journal, node}: Pick<OtherGateways, 'node'> & {readonly journal: Pick<Journal, 'claimCall'>},
): CallClaims {
	const stores = {'approval-rules': createRuleStore(documents), hold: openHoldStore(documents)};
	return {
		knownDocuments() {
			const known = Object.entries(stores).flatMap(([name, {stamp}]) => {
				const version = versionOf(stamp);
				// A file has no version, and belongs to this gateway alone.
				return Number.isInteger(version) ? [{profile: paths.profile, name, version}] : [];
			});
			return known.length === 0 && node() === undefined ? undefined : known;
		},
		refresh: documents.refresh,
		// A command in a process of its own writes no requests for others.
		claim: ({request, ...claim}, waiting) =>
			journal.claimCall({...claim, ...(node() !== undefined && request && {request})}, waiting),
	};
}

/** The version of a document; -1, which equals no other, if it cannot be read: then the call is refused with the reason. */
function versionOf(stamp: () => string): number {
	try {
		return Number(stamp());
	} catch {
		return -1;
	}
}

/** Settings are read at every request, so that a reload is felt by the next call. */
function liveApprovals({current}: ProfileContext) {
	return {
		get timeoutSeconds() {
			return current().config.approvals.timeoutSeconds;
		},
		get unattended() {
			return current().config.approvals.unattended;
		},
	};
}
