import {type OpenedPart} from '../control/method-description.ts';
import {type GatewayHandlers} from '../control/methods.ts';
import {type Journal} from '../journal/journal.ts';
import {Problem} from '../util/problem.ts';
import {commandCaller as caller} from './api/handler-context.ts';
import {openConfiguredJournal} from './journal/configured-journal.ts';
import {unreadableFault} from './journal/unreadable-rows.ts';
import {loadOpenProfile, type OpenProfile} from './documents/open-profile.ts';
import {type openLogins} from './own-logins.ts';
import {loadProfile, type ProfileContext, refuseUnusable, type RuntimeContext} from './profiles/profile-context.ts';
import {type Wanted} from './services/wanted-servers.ts';

/** The options of a client for one command. */
export type OwnOptions = {
	/** Lists have the rows of this profile alone; absent: those of all. */
	readonly profile?: string | undefined;
	readonly signal: AbortSignal;
	/** Takes texts for the person: servers that are waited for or missing, and rows of the journal that were left out. */
	readonly report: (text: string) => void;
};

/** The opened parts of a state directory. */
export type OwnParts = {
	readonly files: () => Promise<ProfileContext>;
	/** With what the profile has stored beside its configuration. */
	readonly documents: () => Promise<OpenProfile>;
	readonly journal: () => Promise<Journal>;
	readonly logins: () => Promise<ReturnType<typeof openLogins>['methods']>;
	readonly tools: (wanted: Wanted) => Promise<Awaited<ReturnType<typeof loadTools>>>;
	/** Holds the lock of the gateway during the work. Rejects with `gateway_running` while one starts, runs or stops. */
	readonly locked: <Value>(work: () => Promise<Value> | Value) => Promise<Value>;
	/** Closed with the client, last one first. */
	readonly closing: (close: () => Promise<void> | void) => void;
};

/** Prepares the parts of a state directory, each of which is opened once; those of a method are what it declares. */
export function openParts(runtime: RuntimeContext, options: OwnOptions) {
	const closes: Array<() => Promise<void> | void> = [];
	const files = once(async () => loadProfile(runtime));
	const documents = once(async () => loadOpenProfile(runtime));
	const journal = once(async () => {
		const opened = await openConfiguredJournal(await files());
		closes.push(async () => {
			const leftOut = unreadableFault(await opened.listUnreadableRows().catch(() => []));
			if (leftOut) {
				options.report(`${leftOut.message}. ${leftOut.remedy}`);
			}

			await opened.close();
		});
		return opened;
	});
	const logins = once(async () => {
		const [context, own] = await Promise.all([files(), import('./own-logins.ts')]);
		refuseUnusable(context);
		const {methods: loginMethods, close} = own.openLogins(context);
		closes.push(close);
		return loginMethods;
	});
	let tools: ReturnType<typeof loadTools> | undefined;
	return {
		of(opens: readonly OpenedPart[]): OwnParts {
			const declared = <Part>(part: OpenedPart, open: Part): Part => {
				if (!opens.includes(part)) {
					throw new Problem('internal', {detail: `${part} is not among the parts that the method declares`});
				}

				return open;
			};

			return {
				files: () => declared('files', files)(),
				documents: () => declared('files', documents)(),
				journal: () => declared('journal', journal)(),
				logins: () => declared('files', logins)(),
				async tools(wanted) {
					declared('servers', undefined);
					if (!tools) {
						tools = loadTools(runtime, {...options, wanted});
						const {close} = await tools;
						closes.push(close);
					}

					return tools;
				},
				async locked(work) {
					declared('lock', undefined);
					const {acquireLock} = await import('../control/lock.ts');
					const {release} = await acquireLock(runtime.paths.lock);
					try {
						return await work();
					} finally {
						await release();
					}
				},
				closing: close => closes.push(close),
			};
		},
		close: async () => {
			for (const close of closes.toReversed()) {
				await close();
			}
		},
	};
}

function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
	let opened: Promise<Value> | undefined;
	return () => (opened ??= open());
}

/** Other commands start without it. */
async function loadTools(runtime: RuntimeContext, options: OwnOptions & {readonly wanted: Wanted}) {
	const [{openWantedTools}, {serveTools, toolMethods}, {warnMissingKey}] = await Promise.all([
		import('./own-tools.ts'),
		import('./api/tools.ts'),
		import('./services/wanted-servers.ts'),
	]);
	const {context, tools, settled, close} = await openWantedTools(runtime, options);
	const serve: GatewayHandlers['mcp.serve'] = ({client}, call) => {
		void tools.firstSettled().then(() => warnMissingKey(tools.connections, options.report));
		return serveTools({context, tools}, client, call);
	};

	// There is no gateway that could connect them again.
	return {methods: toolMethods(context, tools, {caller, retry: 'test'}), settled: once(settled), serve, close};
}
