import {randomBytes} from 'node:crypto';
import {parseEnv} from 'node:util';
import {toProblem} from '../../util/problem.ts';
import {withVariables} from './env-text.ts';
import {readTextFile} from '../values/read-text-file.ts';
import {type StatePaths} from '../read/state-paths.ts';
import {writePrivateFile} from '../values/write-private-file.ts';

/** The variable that holds the endpoint's bearer token (docs/cli.md, Log lines). */
export const endpointTokenName = 'SLUICE_ENDPOINT_TOKEN';

/** The token in the `.env` of a profile; one is made and kept there when there is none. Rejects with `config_unreadable` when it cannot be kept. */
export async function ensureEndpointToken(paths: Pick<StatePaths, 'env'>): Promise<string> {
	try {
		const text = (await readTextFile(paths.env)) ?? '';
		const kept = parseEnv(text)[endpointTokenName];
		if (kept) {
			return kept;
		}

		const token = randomBytes(32).toString('base64url');
		await writePrivateFile(paths.env, withVariables(text, {[endpointTokenName]: token}));
		return token;
	} catch (caught) {
		throw toProblem(caught, 'config_unreadable', {message: 'The token of the endpoint cannot be kept in .env'});
	}
}
