import {loginRequired} from '../oauth/login-required.ts';
import {httpStatusOf} from './connect-failure.ts';

/** Throws the error of a connect attempt with a token; a server that refuses even a good one wants another login (spec/decisions.md, D5). */
export function throwLoginFailure(error: unknown, server: string): never {
	throw httpStatusOf(error) === 403 ? loginRequired(server, 'the server answered 403', error) : error;
}
