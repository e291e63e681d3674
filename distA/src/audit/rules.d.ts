/** What each rule means and what to do about it, for reports. */
export interface RuleText {
    readonly title: string;
    readonly advice: string;
}
export declare const ruleTexts: Readonly<Record<string, RuleText>>;
