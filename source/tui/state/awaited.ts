import {type GatewayCall} from '../../state/gateway-call.ts';
import {type LoginRow, type ServerRow, type WebhookRow} from '../../state/snapshot.ts';

/** Something under way that a line is about. */
export type Awaited =
	| {
			readonly kind: 'calls';
			/** The calls of it that have not ended; none for an act of the window itself. */
			readonly calls: readonly GatewayCall[];
			/** The name of the row that they are about. */
			readonly subject: string;
			/** The next state of this row ends the line, too. */
			readonly row?: AwaitedRow;
	  }
	/** Requests that are denied together; so many others had changed or ended before. */
	| {
			readonly kind: 'denials';
			readonly calls: readonly GatewayCall[];
			readonly denied: number;
			readonly others: number;
	  };

/** The row that shows the end of something that a call begins, as it was when the call was made. */
export type AwaitedRow =
	| {readonly kind: 'server'; readonly server: AwaitedServer; readonly before: ServerRow | undefined}
	| {readonly kind: 'webhooks'; readonly before: WebhookRow}
	| {readonly kind: 'demo'}
	| {readonly kind: 'login'; readonly server: string; readonly profile: string; readonly before: LoginRow | undefined}
	/** The approval of a call that is made once more. */
	| {readonly kind: 'approval'; readonly registeredName: string; readonly server: string; readonly tool: string}
	/** A reload logs how it ended; lines up to `after` are older. */
	| {readonly kind: 'reload'; readonly after: number};

/** A server by its name; the profile is that of the first one that has it, where none is named. */
export type AwaitedServer = {readonly server: string; readonly profile?: string | undefined};
