import {type Command} from '../cli/command.ts';
import {ownWork} from '../cli/in-process.ts';

/** The gateway as a service of the system. */
export const serviceCommands: readonly Command[] = [
	{
		words: ['service', 'install'],
		usage: 'sluice service install [--print|--yes] [--json]',
		summary: 'Install, enable and start the gateway as a service of your user',
		details:
			'Shows the systemd unit (on macOS the launchd agent), or what would change in it, writes it once you agree,\nstarts it, and waits until the gateway answers. --print prints the file to stdout, its path and the commands to\nstderr, and writes nothing. Needs no root. --home and --profile are the ones it runs with.\nPut your own settings into a drop-in: `systemctl --user edit sluice`.',
		flags: ['print', 'yes', 'json'],
		examples: [
			'sluice service install',
			'sluice service install --print',
			'sluice --profile work service install',
			'sluice --home /srv/sluice service install --yes',
		],
		run: async (context, session) => (await import('./service-install.ts')).runServiceInstall(context, session),
	},
	{
		words: ['service', 'remove'],
		usage: 'sluice service remove [--yes] [--json]',
		summary: 'Stop the service and remove its file',
		details: 'Removes only what `sluice service install` wrote. The state directory stays.',
		flags: ['yes', 'json'],
		examples: ['sluice service remove', 'sluice --profile work service remove --yes'],
		run: async (context, session) => (await import('./service-remove.ts')).runServiceRemove(context, session),
	},
	{
		words: ['service', 'status'],
		usage: 'sluice service status [--json]',
		summary: 'Show whether the service is installed, enabled and running',
		details: 'Exits with 3 when the service is not installed or does not run.',
		flags: ['json'],
		examples: ['sluice service status', "sluice service status --json | jq -e '.differs == false'"],
		run: async (context, session) => (await import('./service-status.ts')).runServiceStatus(context, session),
	},
	{
		words: ['uninstall'],
		usage: 'sluice uninstall [--purge] [--yes] [--json]',
		summary: 'Remove the service, and with --purge the state directory, and say how to remove the package',
		details:
			'Stops and removes what `sluice service install` wrote, and nothing else. Refuses while any other gateway runs on the\nstate directory, which is kept without --purge. --purge says how much is queued, waiting or uncertain in the journal,\nasks, and deletes the directory, if nothing but the files of Sluice is in it.',
		flags: ['purge', 'yes', 'json'],
		examples: ['sluice uninstall', 'sluice uninstall --purge', 'sluice --profile work uninstall --purge --yes'],
		run: async (context, session) =>
			(await import('./uninstall.ts')).runUninstall(context, session, {readWork: ownWork(session)}),
	},
];
