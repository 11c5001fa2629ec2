"""Does a sentence tell of somebody's health? A condition, a treatment or a carer, tied to a person (R12).

A condition's name alone is no health data ("our asthma campaign"): a verb or a possessive has to tie it to somebody.
"""

from collections.abc import Iterator

from memoryhub.working.figures_of_speech import is_meant
from memoryhub.working.patterns import Rule, Scan

#: (start, end) in the text that was searched.
Span = tuple[int, int]

_CONDITION = (
    r"(?:diabet\w+|asthma|cancer|tumou?rs?|leuk[a]?emia|lymphoma|melanoma|hiv|aids|hepatitis(?: [abc])?|epilepsy|"
    r"seizures?|migraines?|depression|"
    r"anxiety(?: (?:disorder|attacks?))?|panic (?:attacks?|disorder)|bipolar(?: disorder)?|schizophrenia|ptsd|ocd|"
    r"adhd|autism|dyslexia|anorexia|bulimia|"
    r"an eating disorder|eating disorder|alzheimer'?s?|dementia|parkinson'?s?|multiple sclerosis|arthritis|"
    r"osteoporosis|lupus|crohn'?s?|colitis|"
    r"(?:c[o]?eliac|heart|kidney|liver|lung|lyme|thyroid|autoimmune|chronic|bowel|gum) (?:disease|condition|failure|"
    r"disorder|problems?|pain|trouble)|"
    r"hypertension|high blood pressure|low blood pressure|(?:high )?cholesterol|an?emia|h[a]?emophilia|"
    r"a (?:heart attack|stroke|miscarriage|concussion|"
    r"pacemaker|hernia|slipped disc|blood clot|broken (?:leg|arm|hip|wrist|ankle|rib))|insomnia|sleep apn[o]?ea|"
    r"tuberculosis|covid(?:-19)?|long covid|"
    r"pneumonia|bronchitis|shingles|eczema|psoriasis|endometriosis|infertility|ibs|gout|glaucoma|cataracts|tinnitus|"
    r"vertigo|sciatica|fibromyalgia|"
    r"(?:an? )?(?:\w+ ){0,2}(?:allerg(?:y|ies)|intolerance)|an? (?:\w+ )?(?:disability|addiction|infection|illness|"
    r"disorder|syndrome))"
)
_ADJECTIVE = (
    r"(?:diabetic|asthmatic|epileptic|allergic|pregnant|infertile|hiv[- ]positive|autistic|bipolar|schizophrenic|"
    r"depressed|suicidal|disabled|"
    r"paraly[sz]ed|an?emic|lactose[- ]intolerant|gluten[- ]intolerant|c[o]?eliac|hypertensive|immuno\w+|"
    r"terminally ill|chronically ill|"
    r"in remission|in rehab|on dialysis|on insulin|on chemo(?:therapy)?|on antidepressants|on (?:blood thinners|"
    r"beta[- ]blockers|methadone|lithium)|"
    r"hard of hearing|deaf|blind|wheelchair[- ]bound|wheelchair users?|amputee|para(?:plegic|lympian)|quadriplegic|"
    r"(?:stroke|cancer|polio) survivor)"
)
_TREATMENT = (
    r"(?:therapist|psychiatrist|psychologist|psychotherapist|oncologist|cardiologist|gyn[a]?ecologist|neurologist|"
    r"counsel+or|"
    r"diagnosis|medication|meds|chemo(?:therapy)?|radiotherapy|dialysis|insulin|antidepressants?|inhaler|epipen|"
    r"blood (?:pressure|sugar|type|test)|"
    r"(?:medical|health) (?:record|records|history|condition|conditions|problem|problems|issue|issues)|"
    r"prescription(?! (?:glasses|lenses|sunglasses))|"
    r"(?:knee|hip|heart|back|eye|brain|hernia|bypass|cataract|appendix|kidney|gallbladder|spine|shoulder) "
    r"(?:surgery|operation)|surgery|mental health (?:issues?|problems?|condition|"
    r"diagnosis)|std|sti|iud|pregnancy|due date|"
    r"period cramps|allergies|allergy|disability)"
)
_WHO = r"(?:i|he|she|they|we|you|my \w+|our \w+|his \w+|her \w+|[a-z][\w'-]+)"
_MORE = (
    r"narcolepsy|endometriosis|an?aphyla\w+|burn ?out|pneumonia|co?eliac(?: disease)?|thyroid|detox|ivf|"
    r"chemo(?:therapy)?|dialysis|"
    r"migraines?|insomnia|titanium (?:joint|hip|knee)|stents?|pacemaker|prosthe\w+|transplant|colostomy|catheter|"
    r"mastectomy|addiction|"
    r"sobriety|relapse|overdose|self-harm|eating disorder|bulimia|anorexia|psychosis|stammer|stutter|tourette\w*|"
    r"scoliosis|hernia|kidney stones?|"
    r"gallstones?|ulcers?|hiv|hepatitis|herpes|chlamydia|menopause|miscarriage|fertility|contracepti\w+|"
    r"hearing aids?|inhaler|cpap\w*|wheelchair|crutches|walking (?:stick|frame)|rollator|"
    r"white cane|guide dog|stair ?lift|"
    r"mobility scooter|feeding tube|oxygen (?:tank|bottle|at home)|"
    r"insulin pump|sick note|blood (?:thinners?|sugar|pressure)|antidepressants?|lithium|methadone|warfarin|"
    r"sertraline|prozac|ritalin|statins?|"
    r"(?:\w+ )?cancer|heart attack|stroke|suicide|myeloma"
)
_PATTERNS = (
    Rule(
        rf"(?i)\b(?:i|im|ive|he|hes|she|shes|they|theyre|my|his|her|their)\b(?:['’](?:m|ve|s|d))?[^.!?\n]{{0,40}}?\b(?:have|has|had|use|"
        rf"uses|wear|wears|get|gets|takes?|taking|attempted|"
        rf"got|go|goes|in|into|on|off|with|of|from|for|stopped|started|put|because|is|it['’]?s|s|ve|m|sleep with|"
        rf"told|been)\b[^.!?\n]{{0,20}}?\b(?:{_MORE})\b"
    ),
    Rule(
        r"(?i)\b(?:i|he|she|my \w+) (?:lost|broke|fractured|tore|injured|dislocated|sprained) (?:a|an|my|his|her|"
        r"one|the) (?:\w+ )?"
        r"(?:kidney|hip|leg|arm|ankle|wrist|rib|finger|toe|hand|foot|knee|eye|lung|baby|breast|collarbone|"
        r"shoulder|back|neck|ligament|tendon|skull)\b"
    ),
    Rule(
        r"(?i)\b(?:my|his|her) (?:bmi|cholesterol|blood type|blood group|blood sugar|blood pressure|vaccin\w+|"
        r"vaccination against \w+|sick note|sick leave|"
        r"gall ?bladder|appendix|tonsils|womb|uterus|prostate|spleen|kidneys?|liver|pancreas|thyroid|psychosis)\b"
    ),
    Rule(
        r"(?i)\b(?:had|have|has|having|get|getting) (?:my|his|her|the|an?) (?:\w+ ){1,3}(?:taken out|removed|"
        r"replaced|operated on|amputated)\b"
    ),
    Rule(
        r"(?i)\b(?:my|his|her) (?:\w+ )?(?:knee|hip|heart|back|eye|eyes|shoulder|hand|foot|leg|arm|ankle|wrist|"
        r"spine|brain|lung|breast) (?:was|is|were|got|has been|is being) (?:operated|amputated|replaced|broken)\b"
    ),
    Rule(
        r"(?i)\b(?:i|he|she) (?:can['’]?t|cannot|hears?|sees?|barely) (?:hear |see |hears? )?(?:nothing|anything|"
        r"hardly) (?:on|in|with|through) (?:the|my|his|her) (?:left|right) (?:ear|eye)\b"
    ),
    Rule(
        r"(?i)\b(?:due to give birth|give birth in|expecting (?:a baby|twins|our|my|her)|(?:weeks|"
        r"months) (?:pregnant|into ivf)|waiting list for an? (?:\w+ )?(?:transplant|operation|surgery))\b"
    ),
    Rule(
        r"(?i)\b(?:i|he|she|they|we)(?:['’](?:m|s|re)| am| is| are)?[^.!?\n]{0,20}\b(?:sober|clean) (?:from|since|"
        r"for)\b[^.!?\n]{0,30}"
    ),
    Rule(
        r"(?i)\b(?:have|has|had|got|having|'ve|suffers?|suffering|suffered|diagnosed|battl\w+|fight\w*|surviv\w+|"
        r"treated|recover\w+|liv\w+|hospitali[sz]ed|tested "
        rf"positive)(?:[ \t]+(?:just|always|recently|been|from|with|for|of|a|an|the|mild|severe|type|chronic|bad|"
        rf"terrible|serious|[12]|got|also)){{0,5}}[ \t]+{_CONDITION}\b"
    ),
    Rule(
        rf"(?i)\b(?:am|is|are|was|were|'m|'s|'re|became|got|being|i'?m)[ \t]+(?:(?:also|very|severely|mildly|highly|"
        rf"deathly|not|\w+ weeks|\d+ \w+|now|a|an|type|[12]|currently|clinically|"
        rf"legally|partially|almost)[ \t]+){{0,4}}{_ADJECTIVE}\b(?![ \t]+(?:to (?:the idea|risk|mornings)|about|spot))"
    ),
    Rule(rf"(?i)\b(?:my|his|her|their|our|\w+'s)[ \t]+(?:\w+[ \t]+){{0,2}}?{_TREATMENT}\b"),
    Rule(rf"(?i)\b(?:my|his|her|their)[ \t]+(?:\w+[ \t]+){{0,2}}?{_CONDITION}\b"),
    Rule(
        r"(?i)\b(?:i|he|she|they|we|my \w+)(?:'m|'s|'ve|[ \t]+(?:am|is|are|have|has|was|were|just|also|need to|"
        r"must))?[ \t]+(?:been[ \t]+)?"
        r"(?:tak(?:e|es|ing)|on|prescribed|using|inject\w*)[ \t]+(?:\w+[ \t]+){0,3}?(?:insulin|medication|meds|"
        r"antidepressants?|antibiotics|the pill|statins?|metformin|ritalin|prozac|"
        r"xanax|lithium|steroids|painkillers|opioids|warfarin|methadone|\d+ ?mg)\b"
    ),
    Rule(
        r"(?i)\b(?:doctors?|dr\.?|gp|physician|hospital|clinic|surgeon)\b[^.\n?!]{0,20}\b(?:diagnosed|prescribed|"
        r"put me on|told me i have|found a|operated)\b"
    ),
    Rule(
        r"(?i)\b(?:i|i['’](?:m|ve)|he|she|they|my|his|her|their|our)\b[^.!?\n]{0,60}?\b(?:(?:fertility|oncology|"
        r"cancer|"
        r"diabetes|psychiatric|mental health|abortion|hiv|sti|std|eating disorder|methadone|drug|detox|dialysis|"
        r"palliative|hospice) (?:clinic|ward|unit|department|hospital|cent(?:re|er))|hospice|psychiatric (?:care|"
        r"hospital)|(?:is|was|am|'m|'s) (?:an? )?(?:recovering |former |dry )?(?:alcoholic|drug addict|"
        r"heroin addict))\b"
    ),
    Rule(
        r"(?i)\b(?:i|me|my)\b[^.!?\n]{0,40}[,(:][ ]?(?:being |as |because |since )?(?:coeliac|celiac|diabetic|"
        r"asthmatic|"
        r"epileptic|hypertensive|lactose[- ]intolerant|gluten[- ]intolerant)(?=[.!)\n]|$)"
    ),
    Rule(r"(?i)\b(?:diagnosis|diagnosed with|medical history)[ \t]{0,2}[:=][ \t]{0,2}[a-z][^.,;\n]{3,40}"),
    Rule(r"(?i)\b(?:prescribed|diagnosed)\b[ \t]+(?:me|him|her|us|them|with)\b"),
    Rule(
        r"(?i)\b(?:i|he|she|my \w+)[ \t]+(?:see|sees|saw|visit|visits|am seeing|"
        r"is seeing)[ \t]+an?[ \t]+(?:therapist|psychiatrist|psychologist|oncologist|counsel+or)\b"
    ),
    Rule(
        r"(?i)\b(?:i|he|she|they|my \w+)[ \t]+(?:had|have had|has had|needs?|am having|is having|"
        r"underwent)[ \t]+(?:an?[ \t]+)?(?:\w+[ \t]+){0,2}?(?:abortion|surgery|chemo(?:therapy)?|transplant|"
        r"mastectomy|hysterectomy|vasectomy)\b"
    ),
)


def find_health(scan: Scan) -> Iterator[Span]:
    """Every phrase that ties a person to a condition, a treatment or a carer; spans may overlap."""
    for rule in _PATTERNS:
        for match in rule.finditer(scan):
            if is_meant(scan.text, *match.span()):
                yield match.span()
