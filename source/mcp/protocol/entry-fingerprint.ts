import {referencesIn} from '../../config/secrets/variables.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {absentStamp, fileStamp} from '../../config/values/text-file.ts';
import {hashJson} from '../../util/json-hash.ts';
import {type JsonValue} from '../../util/json-text.ts';
import {expandPath} from '../transport/child-files.ts';

/** Identifies an entry. Every member, its `env_file` and the value of every variable that it uses count, so that any change opens a new connection. */
export function entryFingerprint(config: ServerConfig, expand: (text: string) => string): string {
	const {passEnv, envFile} = config.transport.kind === 'stdio' ? config.transport : noProcess;
	const values = [...referencesIn(config), ...(passEnv ?? [])].map(name => [name, expand(`\${env:${name}}`)]);
	const stamp = envFile === undefined ? absentStamp : fileStamp(expandPath(envFile, expand));
	return hashMembers({config, values, stamp});
}

const noProcess = {passEnv: undefined, envFile: undefined};

/** Identifies the server of an entry: if it is unchanged, cached capabilities may still be valid. Filters, timeouts and trust do not count. */
export function capabilitiesFingerprint({transport, protocol}: ServerConfig): string {
	return hashMembers({transport, protocol});
}

function hashMembers(members: object): string {
	const plain: JsonValue = JSON.parse(JSON.stringify(members));
	return hashJson(plain);
}
