"""Which characters does a sentence in another language name as a password, a code or a key? (R12)

Such texts wait for a curator, and no secret in them may be stored for that either. The words are lists: one line a
language; a value is known by its form, or by standing where one stands.
"""

import re
from collections.abc import Iterator

from memoryhub.working.normalisation import listed
from memoryhub.working.patterns import Rule, Scan
from memoryhub.working.secret_words import NO_NAME, PLACEHOLDERS, TRAIL, mixed

#: Written with spaces between words: a verb or a colon stands between name and value, or after the value.
_PASSWORD = "|".join(
    listed(
        """
    contrase[ñn]as?|clave(?: de (?:acceso|usuario|la wifi|wifi|red))?|clave secreta|palabra clave
    mots? de passe|mdp|code secret
    passw[oö]rt(?:er)?|kennwort|zugangswort|losungswort
    parola d['’]ordine|parola chiave
    palavra[- ]passe|senhas?
    wachtwoord(?:en)?|toegangswoord
    has[łl]o|hasła|hasłem
    heslo|heslá|hesla
    jelszó|jelszava|jelszavam
    l[öo]senord(?:et)?|passord(?:et)?|adgangskoden?|kodeord(?:et)?|salasana(?:ni)?
    parol[aă](?:m|n|sı|mız)?|ş[iı]fre(?:m|n|si|miz)?|sifre(?:m|si)?
    parole|slaptažodis|parool
    lozinka|šifra|geslo|fjalëkalimi
    mật khẩu|kata sandi|sandi
    пароль|паролі|пароля|паролем|лозинка|парола|гасло
    κωδικός(?: πρόσβασης)?|συνθηματικό
    पासवर्ड|कूटशब्द|পাসওয়ার্ড|கடவுச்சொல்|పాస్‌వర్డ్
    كلمة (?:المرور|السر)|كلمه السر|الرقم السري|رمز الدخول|رمز عبور|گذرواژه|پاس ?ورڈ
    סיסמה|סיסמא|הסיסמה
    """,
        by="\n",
    )
)
_IS = (
    r"(?:es|era|será|es la siguiente|est|c['’]est|était|sera|lautet|ist|war|heißt|heisst|è|era|sarà|é|será|foi|is|"
    r"was|luidt|to|jest|brzmi|je|a|az|är|er|on|este|e|"
    r"yra|ir|là|adalah|это|такой|такая|равен|е|είναι|है|हैं|রয়েছে|هي|هو|ہے|היא|הוא|olarak|şu|=|:|：|→|->|-)"
)
_SAID = Rule(
    rf"(?i)(?<![a-z])(?:{_PASSWORD}|"
    rf"password(?!s?{NO_NAME}))(?:[ \t]+[^\s:=.,;!?]{{1,25}}){{0,5}}?[ \t]{{0,3}}(?:(?<=\s)"
    rf"{_IS}(?=[\s\"'«„“:]|"
    rf"$)|[:=：→]|->)[ \t]{{0,3}}(?:[:：][ \t]{{0,3}})?[\"'«„“「`(]?(?P<value>[^\s\"'»”“」`,;]{{3,80}})"
)
#: A word that looks like a password, anywhere soon after one of the names, or before it.
_LIKE_ONE = r"(?=[^\s\"'`,;«»“”]{0,60}[\d!@#$%^&*_+])(?=[^\s\"'`,;«»“”]{0,60}[^\W\d_])[^\s\"'`,;«»“”。]{5,80}"
_NEARBY = Rule(rf"(?i)(?<![a-z])(?:{_PASSWORD})[^.\n!?]{{1,45}}?(?<![\w@.:/-])[\"'«„“`(]?(?P<value>{_LIKE_ONE})")
_BEFORE = Rule(
    rf"(?i)(?<![\w@.:/-])(?P<value>{_LIKE_ONE})[\"'»“”`)]?[ \t]{{1,2}}[^.\n!?\d]{{0,25}}(?<![a-z])(?:{_PASSWORD})(?!\w)"
)
#: Written without them: the value is a run of ASCII.
_EASTERN = Rule(
    r"(?:密码|密碼|口令|密匙|登录码|通行码|パスワード|パスコード|合言葉|暗証番号|暗証コード|비밀번호|비번|패스워드|암호|"
    r"รหัสผ่าน)[^\n。！？!?]{0,25}?(?P<value>[!-~]{3,80})"
)
_CODE = "|".join(
    listed(
        """
    (?:código|codigo|clave)(?: (?:pin|de (?:la |el |acceso|entrada|seguridad|verificación|desbloqueo|alarma)))
    (?:código|codigo|clave)(?: del? | secreto| numérico)?
    code (?:pin|d['’]entrée|d['’]accès|secret|du portail|du coffre)
    code de (?:la |l['’])?(?:porte|sécurité|déverrouillage|alarme|confirmation|vérification)
    digicode|geheimzahl|geheimnummer
    (?:tür|tor|alarm|zugangs|sicherheits|entsperr|bestätigungs|haustür|safe|schloss|garagen)-?code
    codice(?: (?:pin|di (?:accesso|sicurezza|sblocco|verifica)|dell['’](?:allarme|ingresso)|d(?:el|ella|i)[^\\s]{0,4}))?
    código d[aeo]s?|senha d[aeo]|codigo d[aeo]
    (?:deur|toegangs|alarm|pin|beveiligings|poort|kluis|verificatie)-?code
    kod(?:u|em)? (?:do|dostępu|pin|alarmu|wejścia|domofonu|weryfikacyjny)|pinkod|portkod|dørkode|dörrkod|larmkod
    ovikoodi
    kap[ıi] (?:kodu|şifresi)|giriş kodu|alarm kodu|doğrulama kodu|pin kodu|kodu
    код(?:а|ом)? (?:от|для|доступа|двери|домофона|подтверждения|безопасности)|пин-?код
    (?:पिन|दरवाज़े का कोड|दरवाजे का कोड|गेट का कोड|ओटीपी|कोड)|darwaze ka code|gate ka code
    رمز (?:الباب|الدخول|التحقق|الأمان|المرور)|كود (?:الباب|الدخول)|الرقم السري
    קוד (?:הכניסה|הדלת|האזעקה)|κωδικός (?:της πόρτας|εισόδου|συναγερμού)
    pin|otp
    """,
        by="\n",
    )
)
_SAID_CODE = Rule(
    rf"(?i)(?<![a-z])(?:{_CODE})(?!\d)[^\n.!?\d]{{0,40}}?(?<![\w.,/])(?P<value>[#*]?\d(?:[ -]?\d){{3,7}}[#*]?)"
    rf"(?![\d.,:/%€$-]?\d)(?![ \t]?(?:%|€|\$|kg|km|m\b))"
)
_EASTERN_CODE = Rule(
    r"(?:门禁|大门|门锁|密码锁|开门|验证码|驗證碼|门|保险箱|暗証|解錠|玄関|ドア|オートロック|認証コード|金庫|현관|도어락|출입문|인증번호|금고|รหัส)[^\n。！？\d]{0,20}?(?:码|"
    r"密码|号码|番号|コード|번호|비번|코드)?[^\n。！？\d]{0,10}?(?P<value>[#*]?\d(?:[ -]?\d){3,7}[#*]?)(?!\d)"
)
_KEY = Rule(
    r"(?i)(?:clave (?:de )?(?:la )?api|llave (?:de )?api|clé (?:d['’])?api|api-?schlüssel|zugriffsschlüssel|"
    r"chiave (?:dell['’])?api|chave (?:da |de )?api|api-?sleutel|klucz(?:em)? api|"
    r"api anahtar[ıi]|ключ api|api-?ключ|token de acceso|jeton d['’]accès|zugriffstoken|токен|api ?密[钥鑰]|密钥|密鑰|"
    r"apiキー|api ?키|مفتاح api|एपीआई कुंजी|token)"
    r"[^\n!?]{0,30}?(?P<value>[A-Za-z0-9_.+/=-]{12,200})"
)
_NOT_ONE = frozenset(
    listed(
        """
    muy demasiado más mas segura seguro corta larga incorrecta correcta buena nueva vieja la el una un que necesaria
    trop très plus bien faux fausse incorrect expiré nouveau oublié pas le la un une toujours
    zu sehr nicht falsch richtig abgelaufen neu alt der die das ein eine sicher kurz lang immer noch
    troppo molto non sbagliata scaduta nuova vecchia corta lunga sicura una un il la
    muito não errada expirada nova velha curta segura uma um
    te erg niet verkeerd verlopen nieuw oud een het de kort lang veilig
    za bardzo nie złe nowe stare zbyt
    çok yanlış yeni eski değil kısa uzun güvenli
    слишком очень не неправильный новый старый неверный короткий
    wrong too very not new old the a an missing
    """
    )
)
_ADDRESS = re.compile(r"@[\w-]+\.\w|://")
_WORD = re.compile(r"^[^\W\d_]+$")


def find_secrets_abroad(scan: Scan) -> Iterator[tuple[int, int, str]]:
    """Every secret that a sentence in one of these languages names; spans may overlap."""
    for match in _SAID.finditer(scan):
        value = match.group("value").rstrip(TRAIL + "।。")
        ends = scan.text[match.start("value") + len(value) :].lstrip("\"'»”“」`)")[:1]
        if len(value) < 3 or value.startswith(PLACEHOLDERS) or value.lower() in _NOT_ONE:
            continue
        if not _WORD.match(value) or not ends or ends in ".,;!?\n।":
            yield match.start("value"), match.start("value") + len(value), "password"
    for rule in (_NEARBY, _BEFORE, _EASTERN):
        for match in rule.finditer(scan):
            value = match.group("value").rstrip(TRAIL)
            if len(value) >= 3 and not value.startswith(PLACEHOLDERS) and not _ADDRESS.search(value):
                yield match.start("value"), match.start("value") + len(value), "password"
    for rule in (_SAID_CODE, _EASTERN_CODE):
        for match in rule.finditer(scan):
            yield match.start("value"), match.end("value"), "code"
    for match in _KEY.finditer(scan):
        value = match.group("value").rstrip(TRAIL)
        if mixed(value):
            yield match.start("value"), match.start("value") + len(value), "token"
