import {createServer, type IncomingMessage, type RequestListener} from 'node:http';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {type LoginDesk, loginTarget} from './login-desk.ts';

export type Listening = {readonly origin: string; readonly requests: IncomingMessage[]};

/** Anything that listens on loopback, and what reached it. */
export async function listen(handle: RequestListener = (_, response) => void response.end('{}')): Promise<Listening> {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		handle(request, response);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const address = server.address();
	return {origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, requests};
}

/** Starts a login. */
export function logIn(approvals: LoginDesk, url: string, flow: 'browser' | 'device' = 'browser') {
	return approvals.logins.start({target: loginTarget(url, {flow}), challenge: undefined, document: 'try-again'});
}
