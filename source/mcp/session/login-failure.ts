import {loginRequired} from '../../oauth/login-required.ts';
import {type Problem} from '../../util/problem.ts';
import {type ServerLogin} from '../transport/authorized-fetch.ts';
import {httpStatusOf} from './connect-failure.ts';

/** Does `open` with a login; what the login failed with is what the attempt fails with, and a server that refuses even good tokens wants another login (docs/tool-servers.md, States). */
export async function connectWithLogin<Opened>(
	login: ServerLogin | undefined,
	open: (login: ServerLogin | undefined) => Promise<Opened>,
): Promise<Opened> {
	let failure: Problem | undefined;
	try {
		return await open(
			login && {
				...login,
				onFailure(problem) {
					failure = problem;
				},
			},
		);
	} catch (error) {
		const refuses = login && httpStatusOf(error) === 403;
		throw failure ?? (refuses ? loginRequired(login.server, 'the server answered 403', error) : error);
	}
}
