import {type PlatformConfig, type SettingScope} from '../../config/platforms/platform-settings.ts';
import {checkPlatform} from '../../delivery/check-platform.ts';
import {fine, type Finding, problemFinding} from './finding.ts';

/** The delivery platforms that are configured, or that a route delivers to: whether they can be used. Nothing is sent. */
export function platformFindings(
	platforms: readonly PlatformConfig[],
	options: {readonly scope: SettingScope; readonly usedByRoutes: readonly string[]},
): readonly Finding[] {
	const {scope, usedByRoutes} = options;
	return platforms.flatMap(platform => {
		const check = `platform ${platform.name}`;
		const isUsed = usedByRoutes.includes(platform.name);
		if (platform.state === 'disabled' && !isUsed) {
			return [fine(check, 'It is switched off')];
		}

		const problems = checkPlatform(platform, scope);
		const isConfigured = Object.keys(platform.written).length > 0;
		return isUsed || isConfigured
			? problems.length === 0
				? [fine(check, 'It has all it needs; nothing was sent')]
				: problems.map(problem => problemFinding(check, problem))
			: [];
	});
}
