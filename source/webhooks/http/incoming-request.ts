import {type Readable} from 'node:stream';
import {type RequestHeaders} from './request-headers.ts';
import {type RequestPath} from './request-path.ts';

/** A request whose headers are there. Nobody has touched its body. */
export type IncomingRequest = {
	readonly method: string;
	readonly path: RequestPath;
	/** Path and query as they were sent. */
	readonly target: string;
	readonly headers: RequestHeaders;
	readonly body: Readable;
	/** Tells a sender who waits for it that the body is wanted; before this, nothing invites it. */
	readonly invite: () => void;
};
