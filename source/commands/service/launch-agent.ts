import {join} from 'node:path';
import {defaultProfile} from '../../config/read/state-paths.ts';
import {writtenFor} from './service-file.ts';
import {type ServiceTarget} from './service-target.ts';

/** The label of the agent of a profile (docs/deployment.md, macOS). */
export function agentLabel(profile: string): string {
	return profile === defaultProfile ? 'dev.sluice.gateway' : `dev.sluice.gateway.${profile}`;
}

/** The file to which launchd writes the gateway's stderr: empty unless it cannot start. */
export function agentLog({logs}: Pick<ServiceTarget, 'logs'>): string {
	return join(logs, 'service.log');
}

/** The launchd agent of a profile, with the limits of the systemd unit that launchd has too: launchd.plist(5). */
export function agentText(target: ServiceTarget): string {
	const {command, path, root, profile, stopSeconds} = target;
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${writtenFor(root)} -->
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>${agentLabel(profile)}</string>
	<key>ProgramArguments</key>
	<array>
${command.map(word => `\t\t<string>${xml(word)}</string>\n`).join('')}	</array>
	<key>EnvironmentVariables</key>
	<dict>
		<key>PATH</key>
		<string>${xml(path)}</string>
	</dict>
	<key>RunAtLoad</key>
	<true/>
	<!-- As Restart=on-failure: what ends well stays ended. -->
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>10</integer>
	<!-- The first signal lets it drain: runs get ten seconds, a journal that does not answer ten more. -->
	<key>ExitTimeOut</key>
	<integer>${stopSeconds}</integer>
	<!-- 0077 -->
	<key>Umask</key>
	<integer>63</integer>
	<!-- logs/sluice.log has the same events as stdout. -->
	<key>StandardOutPath</key>
	<string>/dev/null</string>
	<key>StandardErrorPath</key>
	<string>${xml(agentLog(target))}</string>
</dict>
</plist>
`;
}

function xml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
