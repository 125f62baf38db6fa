import {type ApprovalEvent, type AskingNode, type RequestDeadline} from './approval-event.ts';
import {type Origin} from './origin.ts';

/** Requests to a person at the approval check, and their ends. */
export type PersonEvent = ApprovalEvent | LoginState | ProposalEvent | QuestionEvent | RemoteSent;

const personTypes = new Set<string>([
	'approval.requested',
	'approval.deadline',
	'approval.settled',
	'login.state',
	'proposal.asked',
	'proposal.settled',
	'question.asked',
	'question.deadline',
	'question.finished',
	'question.settled',
	'remote.sent',
] satisfies ReadonlyArray<PersonEvent['type']>);

/** True for events about requests to a person. */
export function isPersonEvent<Event extends {readonly type: string}>(
	event: Event,
): event is Extract<Event, PersonEvent> {
	return personTypes.has(event.type);
}

/** A message about a request in a chat: when it was sent, in milliseconds since the epoch, and the number that allows it there. */
export type SentMessage = {readonly platform: string; readonly sentAt: number; readonly number?: number};

/** The messages about a request in chats (docs/remote.md), or about a question or an inbox item; none: there is none any more. */
type RemoteSent = {readonly type: 'remote.sent'; readonly id: string; readonly messages: readonly SentMessage[]};

/** The way of a login: on any device with a code, or in a browser of this host. */
export type LoginFlow = 'device' | 'browser';

/** The states of one login (docs/logins.md, Start a login). */
export type LoginStatus =
	| 'discovering'
	| 'registering'
	| 'awaiting-redirect'
	| 'awaiting-device'
	| 'exchanging'
	| 'succeeded'
	| 'failed'
	| 'cancelled';

/** The state of one login; a server has at most one. Times are milliseconds since the epoch. */
export type LoginState = {
	readonly type: 'login.state';
	readonly server: string;
	readonly state: LoginStatus;
	readonly flow: LoginFlow;
	/** Device flow: where the person types the code, and the same address with the code in it. */
	readonly verificationUri?: string;
	readonly verificationUriComplete?: string;
	readonly userCode?: string;
	/** Browser flow: the address to open, and where the redirect is awaited. */
	readonly authorizationUrl?: string;
	readonly redirectUri?: string;
	/** Browser flow over SSH: the command that forwards the callback port. */
	readonly tunnelCommand?: string;
	readonly expiresAt?: number;
	/** Device flow: how often the server was asked, and when it will be asked again. */
	readonly polls?: number;
	readonly nextPollAt?: number;
	/** The reason that it failed or was cancelled, safe to show. */
	readonly reason?: string;
};

type NamedField = {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly need: 'required' | 'optional';
};

/** A value to choose, and what it is called. */
export type FieldOption = {readonly value: string; readonly title: string};

/** One field of a form. Bounds are inclusive; texts are counted in code points. */
export type FormField = NamedField &
	(
		| {
				readonly kind: 'text';
				readonly format?: 'email' | 'uri' | 'date' | 'date-time';
				readonly minimumLength?: number;
				readonly maximumLength?: number;
				readonly pattern?: string;
				readonly defaultValue?: string;
		  }
		| {
				readonly kind: 'number' | 'integer';
				readonly minimum?: number;
				readonly maximum?: number;
				readonly defaultValue?: number;
		  }
		| {readonly kind: 'boolean'; readonly defaultValue?: boolean}
		| {readonly kind: 'choice'; readonly options: readonly FieldOption[]; readonly defaultValue?: string}
		| {
				readonly kind: 'choices';
				readonly options: readonly FieldOption[];
				readonly minimumItems?: number;
				readonly maximumItems?: number;
				readonly defaultValue?: readonly string[];
		  }
	);

/** An address that a server asks a person to open, in printable ASCII. Its host stands apart, because it says where what is typed there goes. */
export type AskedUrl = {
	readonly address: string;
	readonly host: string;
	/** A reason to look twice, in words. */
	readonly warning?: string;
};

/** The kinds of questions: a form of a server, a page that a server wants to have opened, a question of an agent. */
export const questionKinds = ['elicitation', 'url', 'clarify'] as const;

/** A question for the person at the terminal. Texts are safe to show. */
export type QuestionDetails = AskingNode &
	RequestDeadline & {
		readonly id: string;
		readonly kind: (typeof questionKinds)[number];
		/** The asker: the name of a server, or the run. */
		readonly asker: string;
		readonly message: string;
		readonly fields: readonly FormField[];
		/** The page of a question of the kind `url`. */
		readonly url?: AskedUrl;
		readonly origin: Origin;
		readonly requestedAt: number;
	};

/** The ends of a question, kept apart (docs/tool-servers.md, Elicitation). */
type QuestionOutcome = 'answered' | 'declined' | 'cancelled' | 'timed_out' | 'no_channel';

/** The life of a question. */
type QuestionEvent =
	| ({readonly type: 'question.asked'} & QuestionDetails)
	/** The same for a question. */
	| ({readonly type: 'question.deadline'; readonly id: string} & RequestDeadline)
	| {
			readonly type: 'question.settled';
			readonly id: string;
			readonly kind: QuestionDetails['kind'];
			readonly asker: string;
			/** The gateway that asked, where several share a journal. */
			readonly node?: string;
			readonly outcome: QuestionOutcome;
			readonly by?: string;
	  }
	/** The server says that a page which a person opened is finished with. */
	| {readonly type: 'question.finished'; readonly id: string; readonly asker: string};

/** A server somebody wants to have installed, from a link. Nothing is written before a person confirms (docs/tool-servers.md, Install links). Texts are safe to show. */
type ProposalDetails = {
	readonly id: string;
	readonly name: string;
	/** `taken`: a server of this name is configured; only a new name can be confirmed. */
	readonly nameState: 'free' | 'taken';
	/** The whole entry, formatted, line by line; invisible characters are marked. */
	readonly entryLines: readonly string[];
	/** Command and arguments, one per line; empty for addresses. */
	readonly commandLines: readonly string[];
	/** Warnings that deserve a second look. */
	readonly warnings: readonly string[];
	readonly requestedAt: number;
};

/** The life of a proposal. */
type ProposalEvent =
	| ({readonly type: 'proposal.asked'} & ProposalDetails)
	| {
			readonly type: 'proposal.settled';
			readonly id: string;
			readonly outcome: 'installed' | 'cancelled' | 'withdrawn';
			readonly name?: string;
	  };
