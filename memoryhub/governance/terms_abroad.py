"""Words for terms of service, safeguards and standing in other languages (R14, R15).

Whole texts in them wait for a person anyway (`language_not_handled`). These are for what is mixed into English, and for
corrections and values, which are kept in whatever language they come.
"""

import re

from memoryhub.working.normalisation import skeleton

#: German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian, Turkish, Russian.
ABROAD = {
    "PRICE": """
        rabatt* gebuhr gebuhren gebühr* skonto nachlass preisnachlass kostenlos* gratuit* remise* rabais ristourne*
        frais descuento* rebaja* tarifa gratuito* sconto sconti tariffa commissione commissioni desconto* taxas korting*
        kosteloos gebyr* avgift* rabat rabaty zniżk* znizk* opłat* oplat* indirim* ücretsiz* ucretsiz* скидк* бесплатн*
        комисси*
        """,
    "BENEFIT": """
        erstattung* rückerstattung* ruckerstattung* gutschein* gutschrift* entschädigung* entschadigung* befreit*
        freigestellt berechtigt* anspruch kulanz rembours* indemnis* exonér* exoner* dédommag*
        dedommag* dispensé* reembols* indemniza* exento* exenta* rimbors* esent* diritto risarcim* isent*
        direito estorno terugbetal* vergoeding* vrijgesteld tegoedbon zwrot zwrotu zwroty odszkodowan*
        zwolnion* återbetal* aterbetal* ersättning* ersattning* tilgodebevis erstatning refusjon iade iadeler muaf
        tazminat возврат* компенсац* освобожд* льгот*
        """,
    "BOUND": """
        kreditrahmen kreditlimit* überziehung* obergrenze höchstbetrag hochstbetrag plafond* découvert decouvert limite
        limites límite* credito* crédito* crédit kredit* krediet* limiet* kredietlimiet tope kredyt* limitim limitimiz
        limity limitu лимит* кредит* gräns kreditgräns kredittgrense beløpsgrense
        """,
    "STANDING": """
        administrateur* administrador* amministrator* administratör* administratora beheerder* yönetici* yonetici*
        админ* администратор* filialleiter freigeschaltet freigabe* vorgesetzte* bevollmächtigt* bevollmachtigt*
        superviseur* responsable habilit* supervisore superviseuse autorizad* autorizzat* autorisé* autorise*
        gemachtigd* bevoegd* uprawn* upoważnion* behörig* behorig* befugt yetkili yetki* полномоч* начальник* уполномоч*
        berechtigung* zugriffsrecht* prioridad priorité priorita
        """,
    "SAFEGUARD": """
        verifizier* überprüf* uberpruf* bestätigung* genehmig* identität* identitat* vérifi* identité approuv* validé*
        verificad* verificat* identidad identidade identità identita aprobad* aprobación aprovad* approvat* aprovação
        geverifieerd* goedgekeurd* goedkeuring* identiteit zweryfikowan* zatwierdz* tożsamoś* godkänd* godkand*
        verifierad* identitet godkendt godkjent onayl* onay doğrul* dogrul* kimli* подтвержд* проверк* одобр* личность
        """,
    "RULE": """
        richtlinie* anweisung* vorschrift* directives consigne* règlement política politica politiche diretriz* beleid
        voorschrift* polityka zasady riktlin* retningslinj* kural* talimat* правил* инструкц* политик*
        """,
}
#: Scripts that put no spaces between words, and Arabic, which writes articles and possessors on them.
ABROAD_WITHIN = re.compile(
    "|".join(
        skeleton(word)
        for word in [
            "额度",
            "限额",
            "折扣",
            "退款",
            "免费",
            "免除",
            "批准",
            "授权",
            "权限",
            "管理员",
            "验证",
            "核实",
            "身份",
            "政策",
            "优惠",
            "优先",
            "返现",
            "补偿",
            "额度",
            "限制",
            "上限",
            "割引",
            "返金",
            "無料",
            "免除",
            "承認",
            "権限",
            "管理者",
            "認証",
            "確認済",
            "限度",
            "優先",
            "方針",
            "補償",
            "할인",
            "환불",
            "무료",
            "면제",
            "승인",
            "권한",
            "관리자",
            "인증",
            "신원",
            "한도",
            "우선",
            "정책",
            "보상",
            "ائتمان",
            "حدي",
            "الحد",
            "خصم",
            "استرداد",
            "مجان",
            "معف",
            "موافق",
            "صلاحي",
            "مدير",
            "هوي",
            "تحقق",
            "سياس",
            "أولوي",
            "تعويض",
            "छूट",
            "वापसी",
            "सीमा",
            "व्यवस्थापक",
            "अनुमति",
            "सत्यापित",
        ]
    )
)
