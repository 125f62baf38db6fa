import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createRuleStore} from '../../gateway/stores/rule-store.ts';
import {parseTokenRecord} from '../../oauth/protocol/token-record.ts';
import {tokenFileName} from '../../oauth/tokens/token-store.ts';
import {createCronStore} from '../../runs/cron-store.ts';
import {type Clock} from '../../util/clock.ts';
import {shellWord} from '../../util/named-commands.ts';
import {toProblem} from '../../util/problem.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, trouble} from './finding.ts';
import {brokenFile} from './remedy.ts';
import {isUnread} from './stored-documents.ts';

/** Checks the stored documents: remembered approvals, scheduled jobs, tokens. No findings for readable ones. */
export async function checkStores(profile: CheckedProfile, clock: Clock): Promise<readonly Finding[]> {
	const {documents, checkName} = profile;
	return [
		...readable(() => createRuleStore(documents).read(), {
			check: checkName('approvals'),
			consequence: 'every call of a tool is refused until then',
		}),
		...readable(() => createCronStore(documents, clock).list(), {
			check: checkName('cron'),
			consequence: 'no scheduled job runs until then',
		}),
		...(await checkTokens(profile)),
	];
}

function readable(
	read: () => unknown,
	{check, consequence}: {readonly check: string; readonly consequence: string},
): readonly Finding[] {
	try {
		read();
		return [];
	} catch (error) {
		return isUnread(error) ? [] : [brokenFile(check, toProblem(error), consequence)];
	}
}

/** A token file that cannot be read counts as no login; the next one replaces it. */
async function checkTokens({paths, loaded, checkName, command}: CheckedProfile): Promise<readonly Finding[]> {
	const names = await readdir(paths.tokens).catch(() => []);
	const findings = names
		.filter(name => name.endsWith('.json'))
		.map(async name => {
			const path = join(paths.tokens, name);
			if (parseTokenRecord(await readFile(path, 'utf8').catch(() => '')) !== undefined) {
				return [];
			}

			const server = loaded.config.servers.find(one => `${tokenFileName(one.name)}.json` === name);
			const remedy = server ? `Log in again: ${command('mcp', 'login', server.name)}` : `rm ${shellWord(path)}`;
			const check = checkName(server ? `server ${server.name}` : 'logins');
			return [trouble(check, 'error', {message: `The tokens in ${path} cannot be read`, remedy})];
		});
	return (await Promise.all(findings)).flat();
}
