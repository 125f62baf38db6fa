import {type TransportConfig} from '../../config/servers/server-transport.ts';
import {childEnvironment, namedVariables} from './child-environment.ts';
import {findWorkingDirectory, readFileVariables} from './child-files.ts';
import {type OpenedTransport, type TransportOptions} from './opened-transport.ts';
import {createRawResponses, passRaw} from '../protocol/raw-responses.ts';
import {expandValues, messageLimitBytes} from './remote-fetch.ts';
import {openRemote} from './remote-transport.ts';
import {createStdioTransport} from './stdio-transport.ts';

/** Opens the transport of a server entry. Rejects with config_invalid, file_missing. */
export async function openTransport(config: TransportConfig, options: TransportOptions): Promise<OpenedTransport> {
	return config.kind === 'stdio' ? openStdio(config, options) : openRemote(config, options);
}

async function openStdio(
	config: Extract<TransportConfig, {kind: 'stdio'}>,
	options: TransportOptions,
): Promise<OpenedTransport> {
	const {clock, expand, log, guard} = options;
	const workingDirectory = await findWorkingDirectory(config, expand);
	const fileVariables = await readFileVariables(config, expand);
	Object.values(fileVariables).forEach(options.learn);
	options.noteFileVariables?.(Object.keys(fileVariables));
	const answers = createRawResponses();
	const transport = createStdioTransport({
		command: expand(config.command),
		args: config.args.map(expand),
		workingDirectory,
		environment: childEnvironment(options.environment, {
			...namedVariables(config.passEnv ?? [], expand),
			...fileVariables,
			...expandValues(config.env, expand),
		}),
		clock,
		log,
		guard,
		messageLimitBytes,
		received: answers.received,
	});
	return {
		transport: passRaw(transport, answers),
		ended: transport.ended,
		whenUnreachable: () => {},
		close: () => transport.close(),
	};
}
